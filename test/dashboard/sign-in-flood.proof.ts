import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, signedIn, visitor } from '../support/dashboard.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const signIn = (email: string) =>
  visitor(service).post('/dashboard/sign-in', { email, password: 'a wrong password' })

test('a flood of sign-ins ends in refusals that say when to try again, and other requests are answered meanwhile', async () => {
  const owner = await signedIn(service)
  let isOver = false
  const flood = Promise.all(Array.from({ length: 80 }, (_, i) => signIn(`user${i}@example.com`))).finally(
    () => {
      isOver = true
    },
  )
  let answered = 0
  while (!isOver) {
    expect((await owner.get('/dashboard/account')).status).toBe(200)
    answered += 1
  }
  const answers = await flood
  const count = (status: number) => answers.filter((answer) => answer.status === status).length
  expect([count(401), count(429)]).toEqual([20, 60])
  for (const { status, headers } of answers.filter((answer) => answer.status === 429))
    expect([status, Number(headers.get('retry-after')) > 3000]).toEqual([429, true])
  // A hash takes about as long as such a page: with all of them at once, hardly one would be answered.
  expect(answered).toBeGreaterThan(3)
})

test('an address that failed too often is refused with the right password too, and another one is not', async () => {
  const right = { email: 'owner@localhost', password: PASSWORD }
  expect((await visitor(service).post('/dashboard/sign-in', right)).status).toBe(429)
  const { sessions } = service.server.service
  const { session } = await sessions.signIn({ ...right, address: '198.51.100.7', userAgent: '' })
  expect(session.address).toBe('198.51.100.7')
})
