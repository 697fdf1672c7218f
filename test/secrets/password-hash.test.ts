import { expect, test } from 'vitest'
import { createPasswords } from '../../src/secrets/password-hash.ts'

const cheap = { logN: 1, r: 8, p: 1 }

test('a hash names its cost and has a salt of its own', async () => {
  const passwords = createPasswords(cheap)
  const [one, two] = [await passwords.hash('a password'), await passwords.hash('a password')]
  expect(one).toMatch(/^\$scrypt\$ln=1,r=8,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(two).not.toBe(one)
  expect(await passwords.verify('a password', one)).toBe(true)
  expect(await passwords.verify('A password', one)).toBe(false)
  expect(await passwords.verify('', null)).toBe(false)
})

test('the usual cost is 32 MiB a hash', async () => {
  const passwords = createPasswords()
  const hash = await passwords.hash('a password')
  expect(hash).toContain('$ln=15,r=8,p=1$')
  expect(await createPasswords(cheap).verify('a password', hash)).toBe(true)
  expect(passwords.isOutdated(hash)).toBe(false)
  expect(passwords.isOutdated(await createPasswords(cheap).hash('a password'))).toBe(true)
})

test('a flood of sign-ins waits in a short queue, and what does not fit is refused with a time to wait', async () => {
  const passwords = createPasswords(cheap)
  const hash = await passwords.hash('a password')
  const answers = await Promise.allSettled(
    Array.from({ length: 500 }, () => passwords.verify('a password', hash)),
  )
  const refused = answers.filter((answer) => answer.status === 'rejected')
  expect(answers.length - refused.length).toBe(62)
  expect(refused[0]?.reason).toMatchObject({ name: 'service_unavailable', retryAfter: 3 })
  expect(await passwords.verify('a password', hash)).toBe(true)
})

test('no more than two hashes are computed at a time: timers run meanwhile', async () => {
  const passwords = createPasswords({ logN: 12, r: 8, p: 1 })
  let done = 0
  let ticks = 0
  const timer = setInterval(() => (ticks += 1), 1)
  const all = Array.from({ length: 40 }, async () => {
    await passwords.hash('a password')
    done += 1
  })
  await Promise.race(all)
  // With all of them in the pool of threads, several would have ended together.
  expect(done).toBeLessThanOrEqual(2)
  await Promise.all(all)
  clearInterval(timer)
  expect(ticks).toBeGreaterThan(5)
})

test('a stored text that is no hash is an error, not a wrong password', async () => {
  await expect(createPasswords(cheap).verify('a password', 'secret')).rejects.toThrow(/unknown form/)
})
