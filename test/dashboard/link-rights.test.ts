import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PERMISSIONS } from '../../src/domain/caller.ts'
import type { UserId } from '../../src/domain/ids.ts'
import { type DashboardClient, PASSWORD, signedIn, visitor } from '../support/dashboard.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let turn = 0

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

interface Person {
  readonly id: UserId
  readonly client: DashboardClient
  readonly key: string
}

async function newPerson(email: string): Promise<Person> {
  const { id } = await service.server.service.accounts.createUser(email, false)
  return {
    id,
    client: await signedIn(service, id),
    key: await service.newKey({ user: id, permissions: PERMISSIONS }),
  }
}

/** What people try, who hold the link or not. */
const STEPS = [
  'open',
  'accept without link',
  'decline without link',
  'guess a link',
  'list',
  'join with a guess',
] as const

test('whatever strangers do in whatever order, an invitation stays with its mailbox and the holder of its link', async () => {
  const manager = await service.newKey({ permissions: PERMISSIONS })
  const strangers = [await newPerson('stranger1@example.org'), await newPerson('stranger2@example.org')]
  const step = fc.record({ act: fc.constantFrom(...STEPS), who: fc.nat({ max: 1 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const project = await service.newProject(`Guarded ${++turn}`)
      const email = `invited${turn}@example.org`
      const path = `/projects/${project}/members`
      const invited = await service.call('POST', path, { email, role: 'editor' }, { key: manager })
      const { id, invitation_url: url } = invited.body.data
      const offer = id.replace('mem_', 'off_')
      const guess = { link: `${'a'.repeat(42)}${turn % 10}`, password: PASSWORD, again: PASSWORD }
      for (const { act, who } of steps) {
        const { client, key } = strangers[who] ?? expect.unreachable()
        if (act === 'open') await client.get(url.slice(service.url.length))
        if (act === 'accept without link')
          await service.call('POST', `/users/me/offers/${offer}/accept`, undefined, { key })
        if (act === 'decline without link')
          await service.call('POST', `/users/me/offers/${offer}/decline`, undefined, { key })
        if (act === 'guess a link') await client.post('/dashboard/invitation/accept', guess)
        if (act === 'join with a guess') await visitor(service).post('/dashboard/invitation/join', guess)
        if (act === 'list')
          expect((await service.call('GET', '/users/me/offers', undefined, { key })).body.data).toEqual([])
        expect((await service.call('GET', `/projects/${project}`, undefined, { key })).status).toBe(404)
      }
      const member = (await service.call('GET', `${path}/${id}`)).body.data
      expect(member).toMatchObject({ email, state: 'invited' })
      const holder = strangers[turn % 2] ?? expect.unreachable()
      const link = new URL(url).searchParams.get('token') ?? ''
      expect((await holder.client.post('/dashboard/invitation/accept', { link })).status).toBe(303)
      const { key } = holder
      expect((await service.call('GET', `/projects/${project}`, undefined, { key })).status).toBe(200)
    }),
    { numRuns: 15 },
  )
}, 180_000)
