import { afterAll, beforeAll, expect, test } from 'vitest'
import { PERMISSIONS } from '../../src/domain/caller.ts'
import { type DashboardClient, signedIn, visitor } from '../support/dashboard.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let owner: DashboardClient
beforeAll(async () => {
  service = await startService()
  owner = await signedIn(service)
})
afterAll(() => service?.close())

test('people see in the history of their account how often others tried to sign in, and why that was refused', async () => {
  for (const email of ['owner@localhost', 'nobody@example.com', 'Owner@Localhost', 'owner@localhost'])
    await visitor(service).post('/dashboard/sign-in', { email, password: 'a wrong password' })
  const path = '/dashboard/account/audit?act=session.refuse'
  await expect.poll(async () => (await owner.get(path)).html).toContain('Wrong password, 3 times')
  const { html } = await owner.get(path)
  expect(html).toContain('The service by the service · 127.0.0.1')
  expect((await owner.get(path, { 'Accept-Language': 'de' })).html).toContain('Falsches Passwort, 3-mal')
  const key = await service.newKey({ permissions: PERMISSIONS })
  const { body } = await service.call('GET', '/users/me/audit?act=session.refuse', undefined, { key })
  expect(body.data).toMatchObject([{ reason: 'password', count: 3, actor: { client_address: '127.0.0.1' } }])
  expect(JSON.stringify(body)).not.toContain('nobody')
})
