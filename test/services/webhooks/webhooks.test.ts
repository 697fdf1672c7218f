import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../../src/domain/caller.ts'
import type { ProjectId } from '../../../src/domain/ids.ts'
import type { WebhookDraft } from '../../../src/domain/webhook.ts'
import { newMasterKey, parseMasterKey } from '../../../src/secrets/master-key.ts'
import { createWebhookService } from '../../../src/services/webhooks/webhooks.ts'
import { createServiceFixture, errorOf, type ServiceFixture } from '../service-fixture.ts'

let fixture: ServiceFixture
let caller: Caller
let project: ProjectId
let address: string
let woken: number
let webhooks: ReturnType<typeof createWebhookService>
beforeEach(async () => {
  fixture = await createServiceFixture()
  caller = await fixture.newCaller()
  project = (await fixture.projects.create(caller, () => ({ name: 'Site', slugs: 'standard' }))).project.id
  address = '93.184.216.34'
  woken = 0
  webhooks = createWebhookService({
    ...fixture.context,
    masterKey: parseMasterKey(newMasterKey()),
    rules: { allowPrivate: false, allowHttp: false },
    resolve: async () => [address],
    wake: () => {
      woken++
    },
  })
})
afterEach(() => fixture.close())

const DRAFT: WebhookDraft = {
  url: 'https://example.com/hooks',
  events: ['page.published'],
  description: '',
  active: true,
  coalesceSeconds: 0,
}
const create = (draft: WebhookDraft = DRAFT) => webhooks.create(caller, project, () => draft)
const nothing = () => {}

test('a secret is shown on creation and on rotation, and each is different', async () => {
  const { webhook, secret } = await create()
  const rotated = await webhooks.rotateSecret(caller, project, webhook.id, nothing)
  expect(secret).toMatch(/^whsec_/)
  expect(rotated.secret).toMatch(/^whsec_/)
  expect(rotated.secret).not.toBe(secret)
  expect(await webhooks.get(caller, project, webhook.id)).not.toHaveProperty('secret')
})

test('a replaced secret also signs for a day', async () => {
  const { webhook } = await create()
  await webhooks.rotateSecret(caller, project, webhook.id, nothing)
  const secretsAt = (time: string) => fixture.db.read.webhooks.secrets(webhook.id, time)
  expect(await secretsAt('2026-01-03T03:04:05.000Z')).toHaveLength(2)
  expect(await secretsAt('2026-01-03T03:04:06.000Z')).toHaveLength(1)
})

test('a host that resolves to a private address is refused', async () => {
  address = '10.0.0.1'
  expect(await errorOf(create())).toBe('validation_error')
})

test('a webhook cannot be changed to a host that resolves to a private address, and keeps its own', async () => {
  const { webhook } = await create()
  address = '10.0.0.1'
  const changed = webhooks.update(caller, project, webhook.id, () => ({ url: 'https://inside.example.com/' }))
  expect(await errorOf(changed)).toBe('validation_error')
  expect(await webhooks.get(caller, project, webhook.id)).toEqual(webhook)
  // Other changes do not look at its address.
  const described = await webhooks.update(caller, project, webhook.id, () => ({ description: 'Other' }))
  expect(described).toMatchObject({ url: webhook.url, description: 'Other' })
})

test('a delivery of a webhook that is switched off is not sent again', async () => {
  const { webhook } = await create()
  const delivery = await webhooks.test(caller, project, webhook.id, nothing)
  await fixture.db.write(async (repositories) => {
    const sending = await repositories.webhooks.findSending(delivery.id)
    if (sending === null) throw new Error('The delivery is missing.')
    const ended = { ...delivery, state: 'delivered', nextAt: null, finishedAt: fixture.clock.now } as const
    await repositories.webhooks.recordTry(sending, { webhook, delivery: ended })
  })
  await webhooks.update(caller, project, webhook.id, () => ({ active: false }))
  const again = () => webhooks.redeliver(caller, project, webhook.id, delivery.id, nothing)
  expect(await errorOf(again())).toBe('conflict')
  expect(await webhooks.delivery(caller, project, webhook.id, delivery.id)).toMatchObject({
    state: 'delivered',
  })
  await webhooks.update(caller, project, webhook.id, () => ({ active: true }))
  expect(await again()).toMatchObject({ state: 'pending', attempts: 0 })
  expect(await errorOf(again())).toBe('conflict')
})

test('a project has at most 20 webhooks', async () => {
  for (let n = 0; n < 20; n++) await create()
  expect(await errorOf(create())).toBe('conflict')
})

test('switching a webhook on again clears its failures', async () => {
  const { webhook } = await create()
  const failed = { ...webhook, active: false, failingSince: '2026-01-01T00:00:00.000Z', offReason: 'failing' }
  await fixture.db.write((repositories) => repositories.webhooks.update(failed as typeof webhook))
  const updated = await webhooks.update(caller, project, webhook.id, () => ({ active: true }))
  expect(updated).toMatchObject({ active: true, failingSince: null, offReason: null })
})

test('a test delivery wakes the job runner, and cannot be sent again while it is pending', async () => {
  const { webhook } = await create()
  const delivery = await webhooks.test(caller, project, webhook.id, nothing)
  expect(delivery).toMatchObject({ state: 'pending', type: 'webhook.test' })
  expect(woken).toBe(1)
  const again = webhooks.redeliver(caller, project, webhook.id, delivery.id, nothing)
  expect(await errorOf(again)).toBe('conflict')
})

test('a webhook that is switched off sends no test', async () => {
  const { webhook } = await create({ ...DRAFT, active: false })
  expect(await errorOf(webhooks.test(caller, project, webhook.id, nothing))).toBe('conflict')
})

test('a deleted webhook and its deliveries no longer exist', async () => {
  const { webhook } = await create()
  await webhooks.remove(caller, project, webhook.id, nothing)
  expect(await errorOf(webhooks.get(caller, project, webhook.id))).toBe('not_found')
})
