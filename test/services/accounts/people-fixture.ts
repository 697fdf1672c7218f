import { expect } from 'vitest'
import type { User } from '../../../src/db/repositories/accounts.ts'
import { RateLimitError, ServiceError } from '../../../src/domain/errors.ts'
import { newMasterKey, parseMasterKey } from '../../../src/secrets/master-key.ts'
import { createPasswords, type Passwords } from '../../../src/secrets/password-hash.ts'
import { createSecondFactorService } from '../../../src/services/accounts/second-factors.ts'
import { createSessionService } from '../../../src/services/accounts/sessions.ts'
import { createSetUpLinkService } from '../../../src/services/accounts/set-up-links.ts'
import { createSignInRefusals } from '../../../src/services/accounts/sign-in-refusals.ts'
import { randomId as newId } from '../../../src/services/new-id.ts'
import { createServiceFixture } from '../service-fixture.ts'

export const PASSWORD = 'correct horse battery'
export const HOME = { address: '192.0.2.1', userAgent: 'Browser' }
export const ELSEWHERE = { address: '198.51.100.7', userAgent: 'Other browser' }

export type PeopleFixture = Awaited<ReturnType<typeof createPeopleFixture>>

/** Services with which people sign in, over real hashes of the least cost, which are counted. */
export async function createPeopleFixture() {
  const fixture = await createServiceFixture()
  const cheap = createPasswords({ logN: 1, r: 8, p: 1 })
  const computed = { hashes: 0 }
  const passwords: Passwords = {
    hash: (password) => {
      computed.hashes += 1
      return cheap.hash(password)
    },
    verify: (password, stored) => {
      computed.hashes += 1
      return cheap.verify(password, stored)
    },
    isOutdated: cheap.isOutdated,
  }
  const masterKey = parseMasterKey(newMasterKey())
  const now = () => fixture.clock.now
  const refusals = createSignInRefusals({
    db: fixture.db,
    now,
    onFailure: (error) => expect.unreachable(String(error)),
  })
  const ports = { db: fixture.db, newId, now, passwords, masterKey, refusals }
  const sessions = createSessionService(ports)
  const setUpLinks = createSetUpLinkService({ ...ports, onAccessEnded: () => {} })

  return {
    ...fixture,
    ports,
    sessions,
    setUpLinks,
    secondFactors: createSecondFactorService(ports),
    /** Refused sign-ins are stored after their answers. */
    async close() {
      await refusals.idle()
      await fixture.close()
    },
    /** How many hashes were computed. */
    computed,
    /** A user with a password. */
    async newPerson(email = `${newId()}@example.com`): Promise<User> {
      const user = await fixture.accounts.createUser(email, true)
      await setUpLinks.redeem(await setUpLinks.issue(user.id), PASSWORD, HOME)
      await fixture.db.write((repositories) => repositories.sessions.deleteOthers(user.id, null))
      return user
    },
    /** Lets time pass. */
    pass(seconds: number) {
      fixture.clock.now = new Date(Date.parse(fixture.clock.now) + seconds * 1000).toISOString()
    },
  }
}

/** What a person is told. */
export async function answerOf(promise: Promise<unknown>) {
  return promise.then(
    () => 'signed in',
    (error: unknown) => {
      if (!(error instanceof ServiceError)) throw error
      const { name, message, fields } = error
      return error instanceof RateLimitError
        ? { name, message, retryAfter: error.refusal.retryAfter }
        : { name, message, fields }
    },
  )
}
