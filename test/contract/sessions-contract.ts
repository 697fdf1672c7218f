import { describe, expect, test } from 'vitest'
import type { User } from '../../src/db/repositories/accounts.ts'
import type { Session } from '../../src/db/repositories/sessions.ts'
import type { Database } from '../../src/db/repositories.ts'
import { randomId as newId } from '../../src/services/new-id.ts'

const NOW = '2026-01-02T03:04:05.678Z'
const at = (seconds: number) => new Date(Date.parse(NOW) + seconds * 1000).toISOString()
const hash = (text: string) => text.padEnd(64, '0')

/**
 * Tests every promise about passwords, sessions, set-up links and attempts to sign in.
 *
 * @param open returns an empty, migrated database; called once per test, which closes it.
 */
export function testSessionsContract(open: () => Promise<Database>): void {
  async function withUser(email = 'ada@example.com') {
    const db = await open()
    return { db, user: await newUser(db, email) }
  }

  async function newUser(db: Database, email: string): Promise<User> {
    const id = newId<'usr'>()
    await db.write(({ users }) => users.insert({ id, email, canCreateProjects: false, createdAt: NOW }))
    return {
      id,
      email,
      canCreateProjects: false,
      createdAt: NOW,
      verifiedAt: null,
      lockedAt: null,
      browsersKnownAfter: null,
    }
  }

  async function newSession(db: Database, user: User, token: string, changes: Partial<Session> = {}) {
    const session: Session = {
      id: newId<'ses'>(),
      userId: user.id,
      createdAt: NOW,
      usedAt: NOW,
      expiresAt: at(1000),
      address: '192.0.2.1',
      userAgent: 'Browser',
      ...changes,
    }
    await db.write(({ sessions }) => sessions.insert(session, hash(token)))
    return session
  }

  describe('passwords', () => {
    test('a user has none at first, and is found by the address in any case', async () => {
      const { db, user } = await withUser()
      expect(await db.read.users.hasPasswords()).toBe(false)
      expect(await db.read.users.credentials('ADA@example.com')).toEqual({ user, passwordHash: null })
      await db.write(({ users }) => users.setPasswordHash(user.id, 'hash'))
      expect(await db.read.users.credentials('ada@example.com')).toEqual({ user, passwordHash: 'hash' })
      expect(await db.read.users.passwordHash(user.id)).toBe('hash')
      expect(await db.read.users.hasPasswords()).toBe(true)
      expect(await db.read.users.credentials('bob@example.com')).toBeNull()
      expect(await db.read.users.passwordHash(newId())).toBeNull()
    })

    test('a user is found by a new address in any spelling, which no other user can take', async () => {
      const { db, user } = await withUser('ada@example.com')
      const other = await newUser(db, 'bob@example.com')
      await db.write(({ users }) => users.setEmail(user.id, 'Ada@Example.com', NOW))
      await expect(
        db.write(({ users }) => users.setEmail(other.id, 'aDa@example.com', NOW)),
      ).rejects.toMatchObject({ name: 'conflict' })
      expect((await db.read.users.credentials('ADA@example.com'))?.user).toEqual({
        ...user,
        email: 'Ada@Example.com',
        verifiedAt: NOW,
      })
    })
  })

  describe('sessions', () => {
    test('a session is found by the hash of its token and by its id, with its user', async () => {
      const { db, user } = await withUser()
      const session = await newSession(db, user, 'one')
      expect(await db.read.sessions.findByHash(hash('one'))).toEqual({ session, user })
      expect(await db.read.sessions.find(session.id)).toEqual({ session, user })
      expect(await db.read.sessions.findByHash(hash('two'))).toBeNull()
      expect(await db.read.sessions.find(newId())).toBeNull()
    })

    test('a token belongs to one session', async () => {
      const { db, user } = await withUser()
      await newSession(db, user, 'one')
      await expect(newSession(db, user, 'one')).rejects.toThrow()
    })

    test('a session that gets another token is not found by the one before', async () => {
      const { db, user } = await withUser()
      const session = await newSession(db, user, 'one')
      await db.write(({ sessions }) => sessions.replaceToken(session.id, hash('two')))
      expect(await db.read.sessions.findByHash(hash('one'))).toBeNull()
      expect((await db.read.sessions.findByHash(hash('two')))?.session).toEqual(session)
    })

    test('the list of a user has the last used first, and no one else’s', async () => {
      const { db, user } = await withUser()
      const first = await newSession(db, user, 'one')
      const second = await newSession(db, user, 'two', { usedAt: at(1) })
      await newSession(db, await newUser(db, 'bob@example.com'), 'three')
      expect(await db.read.sessions.list(user.id)).toEqual([second, first])
      await db.write(({ sessions }) => sessions.touch(first.id, at(2)))
      expect(await db.read.sessions.list(user.id)).toEqual([{ ...first, usedAt: at(2) }, second])
    })

    test('a session is deleted for its user only', async () => {
      const { db, user } = await withUser()
      const other = await newUser(db, 'bob@example.com')
      const session = await newSession(db, user, 'one')
      expect(await db.write(({ sessions }) => sessions.delete(other.id, session.id))).toBe(false)
      expect(await db.write(({ sessions }) => sessions.delete(user.id, session.id))).toBe(true)
      expect(await db.write(({ sessions }) => sessions.delete(user.id, session.id))).toBe(false)
      await db.write(({ sessions }) => sessions.touch(session.id, at(1)))
      expect(await db.read.sessions.find(session.id)).toBeNull()
    })

    test('other sessions of a user, or all, are deleted, and those of other users remain', async () => {
      const { db, user } = await withUser()
      const other = await newSession(db, await newUser(db, 'bob@example.com'), 'other')
      const [one, two] = [await newSession(db, user, 'one'), await newSession(db, user, 'two')]
      expect(await db.write(({ sessions }) => sessions.deleteOthers(user.id, one.id))).toEqual([two.id])
      expect(await db.read.sessions.list(user.id)).toEqual([one])
      expect(await db.write(({ sessions }) => sessions.deleteOthers(user.id, null))).toEqual([one.id])
      expect(await db.read.sessions.list(user.id)).toEqual([])
      expect(await db.read.sessions.list(other.userId)).toEqual([other])
      await db.write(({ sessions }) => sessions.deleteAll())
      expect(await db.read.sessions.list(other.userId)).toEqual([])
    })

    test('beyond a number, those used longest ago are deleted', async () => {
      const { db, user } = await withUser()
      const used = [3, 1, 2].map((seconds) => at(seconds))
      for (const usedAt of used) await newSession(db, user, usedAt.replace(/\W/g, ''), { usedAt })
      await db.write(({ sessions }) => sessions.deleteBeyond(user.id, 2))
      expect((await db.read.sessions.list(user.id)).map(({ usedAt }) => usedAt)).toEqual([at(3), at(2)])
    })

    test('pruning deletes what has expired, at its very moment', async () => {
      const { db, user } = await withUser()
      await newSession(db, user, 'one', { expiresAt: at(10) })
      const later = await newSession(db, user, 'two', { expiresAt: at(11) })
      expect(await db.write(({ sessions }) => sessions.prune(at(10)))).toBe(false)
      expect(await db.read.sessions.list(user.id)).toEqual([later])
    })
  })

  describe('set-up links', () => {
    test('a user has one link, which a newer one replaces', async () => {
      const { db, user } = await withUser()
      const link = { userId: user.id, createdAt: NOW, expiresAt: at(10) }
      await db.write(({ setUpLinks }) => setUpLinks.put(link, hash('one')))
      expect(await db.read.setUpLinks.findByHash(hash('one'), at(9))).toEqual({ link, user })
      const newer = { ...link, createdAt: at(1), expiresAt: at(11) }
      await db.write(({ setUpLinks }) => setUpLinks.put(newer, hash('two')))
      expect(await db.read.setUpLinks.findByHash(hash('one'), at(9))).toBeNull()
      expect(await db.read.setUpLinks.findByHash(hash('two'), at(9))).toEqual({ link: newer, user })
      expect(await db.read.setUpLinks.ofUser(user.id, at(9))).toEqual(newer)
    })

    test('a link is found until it expires, and taken once', async () => {
      const { db, user } = await withUser()
      const link = { userId: user.id, createdAt: NOW, expiresAt: at(10) }
      await db.write(({ setUpLinks }) => setUpLinks.put(link, hash('one')))
      expect(await db.read.setUpLinks.findByHash(hash('one'), at(10))).toBeNull()
      expect(await db.read.setUpLinks.ofUser(user.id, at(10))).toBeNull()
      const take = () => db.write(({ setUpLinks }) => setUpLinks.take(hash('one')))
      expect([await take(), await take()]).toEqual([true, false])
    })

    test('pruning deletes what has expired', async () => {
      const { db, user } = await withUser()
      const link = { userId: user.id, createdAt: NOW, expiresAt: at(10) }
      await db.write(({ setUpLinks }) => setUpLinks.put(link, hash('one')))
      await db.write(({ setUpLinks }) => setUpLinks.prune(at(9)))
      expect(await db.read.setUpLinks.ofUser(user.id, NOW)).toEqual(link)
      await db.write(({ setUpLinks }) => setUpLinks.prune(at(10)))
      expect(await db.read.setUpLinks.ofUser(user.id, NOW)).toBeNull()
      await db.write(({ setUpLinks }) => setUpLinks.put(link, hash('two')))
      await db.write(({ setUpLinks }) => setUpLinks.deleteAll())
      expect(await db.read.setUpLinks.ofUser(user.id, NOW)).toBeNull()
    })
  })

  describe('second factors', () => {
    const factorOf = ({ id }: User) => ({
      userId: id,
      sealed: 'secret',
      masterKeyId: 'key',
      createdAt: NOW,
      enabledAt: null,
      lastStep: 0,
    })

    test('a user has one, which a newer one replaces, and which goes with the recovery codes', async () => {
      const { db, user } = await withUser()
      expect(await db.read.secondFactors.find(user.id)).toBeNull()
      await db.write(({ secondFactors }) => secondFactors.put(factorOf(user)))
      const next = { ...factorOf(user), sealed: 'other', enabledAt: at(1), lastStep: 58_000_000_000 }
      await db.write(({ secondFactors }) => secondFactors.put(next))
      expect(await db.read.secondFactors.find(user.id)).toEqual(next)
      await db.write(({ secondFactors }) => secondFactors.setRecoveryCodes(user.id, [hash('a')]))
      expect(await db.write(({ secondFactors }) => secondFactors.delete(user.id))).toBe(true)
      expect(await db.write(({ secondFactors }) => secondFactors.delete(user.id))).toBe(false)
      expect(await db.read.secondFactors.countRecoveryCodes(user.id)).toBe(0)
    })

    test('a step is used once, and so are those before it', async () => {
      const { db, user } = await withUser()
      await db.write(({ secondFactors }) => secondFactors.put(factorOf(user)))
      const use = (step: number) => db.write(({ secondFactors }) => secondFactors.useStep(user.id, step))
      expect([await use(5), await use(5), await use(4), await use(6)]).toEqual([true, false, false, true])
      expect(await db.write(({ secondFactors }) => secondFactors.useStep(newId(), 7))).toBe(false)
    })

    test('a recovery code is used once by its user, and new ones replace all', async () => {
      const { db, user } = await withUser()
      const other = await newUser(db, 'bob@example.com')
      const set = (codes: readonly string[]) =>
        db.write(({ secondFactors }) => secondFactors.setRecoveryCodes(user.id, codes.map(hash)))
      const use = (code: string, { id } = user) =>
        db.write(({ secondFactors }) => secondFactors.useRecoveryCode(id, hash(code)))
      await set(['a', 'b'])
      expect([await use('a', other), await use('a'), await use('a')]).toEqual([false, true, false])
      await set(['c', 'd'])
      expect(await use('b')).toBe(false)
      expect(await db.read.secondFactors.countRecoveryCodes(user.id)).toBe(2)
    })

    test('those that another master key seals are found, and sealed again unless they were replaced', async () => {
      const { db, user } = await withUser()
      const factor = factorOf(user)
      await db.write(({ secondFactors }) => secondFactors.put(factor))
      expect(await db.read.secondFactors.findSealedByOther('key', 10)).toEqual([])
      expect(await db.read.secondFactors.findSealedByOther('new', 10)).toEqual([factor])
      const resealed = { sealed: 'again', masterKeyId: 'new' }
      await db.write(({ secondFactors }) => secondFactors.reseal({ ...factor, sealed: 'older' }, resealed))
      expect(await db.read.secondFactors.find(user.id)).toEqual(factor)
      await db.write(({ secondFactors }) => secondFactors.reseal(factor, resealed))
      expect(await db.read.secondFactors.find(user.id)).toEqual({ ...factor, ...resealed })
    })
  })

  describe('passkeys', () => {
    const passkeyOf = ({ id }: User, credentialId: string) => ({
      id: newId<'psk'>(),
      userId: id,
      credentialId,
      publicKey: 'key',
      counter: 4_294_967_295,
      name: 'Phone',
      createdAt: NOW,
      usedAt: null,
    })

    test('are found by credential, listed, renamed, used and deleted for their user alone', async () => {
      const { db, user } = await withUser()
      const other = await newUser(db, 'bob@example.com')
      const passkey = passkeyOf(user, 'one')
      await db.write(({ passkeys }) => passkeys.insert(passkey))
      expect(await db.read.passkeys.findByCredential('one')).toEqual(passkey)
      expect(await db.read.passkeys.findByCredential('two')).toBeNull()
      expect(await db.read.passkeys.list(other.id)).toEqual([])
      expect(await db.write(({ passkeys }) => passkeys.rename(other.id, passkey.id, 'Mine'))).toBe(false)
      expect(await db.write(({ passkeys }) => passkeys.delete(other.id, passkey.id))).toBe(false)
      expect(await db.write(({ passkeys }) => passkeys.rename(user.id, passkey.id, 'Desk'))).toBe(true)
      await db.write(({ passkeys }) => passkeys.recordUse(passkey.id, { counter: 5, usedAt: at(1) }))
      expect(await db.read.passkeys.list(user.id)).toEqual([
        { ...passkey, name: 'Desk', counter: 5, usedAt: at(1) },
      ])
      expect(await db.write(({ passkeys }) => passkeys.delete(user.id, passkey.id))).toBe(true)
      expect(await db.read.passkeys.list(user.id)).toEqual([])
    })

    test('a credential belongs to one user', async () => {
      const { db, user } = await withUser()
      const other = await newUser(db, 'bob@example.com')
      await db.write(({ passkeys }) => passkeys.insert(passkeyOf(user, 'one')))
      await expect(
        db.write(({ passkeys }) => passkeys.insert(passkeyOf(other, 'one'))),
      ).rejects.toMatchObject({ name: 'conflict' })
    })

    test('a challenge is used once, until it is forgotten after its end', async () => {
      const { db } = await withUser()
      const use = () => db.write(({ passkeys }) => passkeys.useChallenge('text', at(5)))
      expect([await use(), await use()]).toEqual([true, false])
      await db.write(({ passkeys }) => passkeys.pruneChallenges(at(4)))
      expect(await use()).toBe(false)
      await db.write(({ passkeys }) => passkeys.pruneChallenges(at(5)))
      expect(await use()).toBe(true)
    })
  })

  describe('mails', () => {
    const mailOf = (recipient: string, seconds: number) => ({
      id: newId<'mail'>(),
      recipient,
      language: 'en',
      content: { kind: 'set-up' } as const,
      address: '192.0.2.1',
      userId: null,
      createdAt: at(seconds),
    })

    test('are claimed once until a time, tried again, and end', async () => {
      const { db } = await withUser()
      const [first, second] = [mailOf('a@example.com', 1), mailOf('b@example.com', 2)]
      for (const mail of [second, first]) await db.write(({ mails }) => mails.insert(mail))
      const claim = (now: number, until: number) =>
        db.write(({ mails }) => mails.claim(10, at(now), at(until)))
      expect(await claim(1, 9)).toEqual([{ ...first, attempts: 1 }])
      expect(await claim(2, 9)).toEqual([{ ...second, attempts: 1 }])
      expect(await claim(8, 20)).toEqual([])
      await db.write(({ mails }) => mails.end(first.id, at(8), null))
      expect(await db.read.mails.countWaiting()).toBe(1)
      expect(await claim(9, 20)).toEqual([{ ...second, attempts: 2 }])
      expect(await db.read.mails.countSince({ recipient: 'a@example.com' }, at(0))).toBe(1)
      expect(await db.read.mails.countSince({ address: '192.0.2.1' }, at(1))).toBe(1)
      await db.write(({ mails }) => mails.retry(second.id, at(10)))
      expect(await claim(10, 20)).toEqual([{ ...second, attempts: 3 }])
      await db.write(({ mails }) => mails.prune(at(30)))
      expect(await db.read.mails.countSince({ address: '192.0.2.1' }, at(0))).toBe(1)
    })

    test('an address waits for its link, which a newer wish replaces', async () => {
      const { db, user } = await withUser()
      const change = { userId: user.id, email: 'new@example.com', expiresAt: at(9) }
      await db.write(({ emailChanges }) => emailChanges.put(change))
      expect(await db.read.emailChanges.find(user.id)).toEqual(change)
      await db.write(({ emailChanges }) => emailChanges.setToken(user.id, hash('one')))
      expect(await db.read.emailChanges.findByHash(hash('one'), at(8))).toEqual(change)
      expect(await db.read.emailChanges.findByHash(hash('one'), at(9))).toBeNull()
      await db.write(({ emailChanges }) => emailChanges.put({ ...change, email: 'other@example.com' }))
      expect(await db.read.emailChanges.findByHash(hash('one'), at(8))).toBeNull()
      await db.write(({ emailChanges }) => emailChanges.delete(user.id))
      expect(await db.read.emailChanges.find(user.id)).toBeNull()
      await db.write(({ emailChanges }) => emailChanges.put(change))
      await db.write(({ emailChanges }) => emailChanges.prune(at(9)))
      expect(await db.read.emailChanges.find(user.id)).toBeNull()
    })
  })

  describe('attempts to sign in', () => {
    test('are counted from the newest, by account and by address, until they succeed or are pruned', async () => {
      const db = await open()
      const account = hash('account')
      const attempts = [1, 2, 3].map((seconds) => ({
        id: newId<'ses'>(),
        accountHash: account,
        address: seconds === 2 ? '192.0.2.2' : '192.0.2.1',
        attemptedAt: at(seconds),
      }))
      for (const attempt of attempts) await db.write(({ signInAttempts }) => signInAttempts.insert(attempt))
      const { nthNewest } = db.read.signInAttempts
      const ofAccount = { accountHash: account }
      expect(await nthNewest(ofAccount, 1, NOW)).toBe(at(3))
      expect(await nthNewest(ofAccount, 3, NOW)).toBe(at(1))
      expect(await nthNewest(ofAccount, 3, at(1))).toBeNull()
      expect(await nthNewest({ address: '192.0.2.1' }, 2, NOW)).toBe(at(1))
      expect(await nthNewest({ accountHash: hash('other') }, 1, NOW)).toBeNull()
      const [first] = attempts
      await db.write(({ signInAttempts }) => signInAttempts.delete(first?.id ?? expect.unreachable()))
      expect(await nthNewest(ofAccount, 3, NOW)).toBeNull()
      expect(await db.write(({ signInAttempts }) => signInAttempts.prune(at(2)))).toBe(false)
      expect(await nthNewest(ofAccount, 2, NOW)).toBeNull()
      expect(await nthNewest(ofAccount, 1, NOW)).toBe(at(3))
    })
  })
}
