import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DeliveryId, EventId, ProjectId, WebhookId } from '../../src/domain/ids.ts'
import {
  afterTry,
  type Delivery,
  RETRY_PAUSES,
  type Sending,
  type TryOutcome,
  type Webhook,
} from '../../src/domain/webhook.ts'

const START = '2026-01-01T00:00:00.000Z'
const MOST_TRIES = RETRY_PAUSES.length + 1

const webhook: Webhook = {
  id: 'aaaaaaaaaaaaaaaa' as WebhookId,
  projectId: 'bbbbbbbbbbbbbbbb' as ProjectId,
  url: 'https://example.com',
  events: ['page.published'],
  description: '',
  active: true,
  coalesceSeconds: 0,
  failingSince: null,
  offReason: null,
  createdAt: START,
  version: 1,
}
const delivery: Delivery = {
  id: 'cccccccccccccccc' as DeliveryId,
  webhookId: webhook.id,
  messageId: 'dddddddddddddddd' as EventId,
  type: 'page.published',
  body: '{}',
  state: 'pending',
  attempts: 0,
  nextAt: START,
  tries: [],
  createdAt: START,
  finishedAt: null,
}

const outcome = (fields: Partial<TryOutcome>): TryOutcome => ({
  at: START,
  ms: 10,
  status: 500,
  answer: '',
  error: 'The receiver answered 500.',
  retryAfter: null,
  ...fields,
})

/** Tries each outcome when the one before it says, until the delivery has ended. */
function tryAll(outcomes: readonly Partial<TryOutcome>[], chance = 0): Sending {
  return outcomes.reduce<Sending>(
    (sending, one) =>
      sending.delivery.nextAt === null
        ? sending
        : afterTry(sending, outcome({ ...one, at: sending.delivery.nextAt }), chance),
    { delivery, webhook },
  )
}

test('after ten tries, three days later, it is given up and the webhook is still on', () => {
  const nine = tryAll(Array(MOST_TRIES - 1).fill({}))
  expect(nine.delivery).toMatchObject({ state: 'pending', attempts: 9 })
  const ten = tryAll(Array(MOST_TRIES).fill({}))
  expect(ten.delivery).toMatchObject({ state: 'failed', attempts: 10, nextAt: null })
  expect(ten.webhook).toMatchObject({ active: true, failingSince: START })
})

test('whatever receivers answer, a delivery ends within eleven days, and pauses are never shorter than the schedule', () => {
  const anOutcome = fc.record({
    status: fc.constantFrom(null, 301, 404, 429, 500, 503),
    retryAfter: fc.option(fc.nat()),
    ms: fc.nat(15_000),
  })
  fc.assert(
    fc.property(
      fc.array(anOutcome, { minLength: MOST_TRIES, maxLength: 20 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (outcomes, chance) => {
        const { delivery: ended } = tryAll(outcomes, chance)
        expect(ended.nextAt).toBeNull()
        const days = (Date.parse(ended.finishedAt ?? '') - Date.parse(START)) / 86_400_000
        expect(days).toBeLessThan(11)
        ended.tries.slice(1).forEach((one, i) => {
          const before = ended.tries[i] ?? expect.unreachable()
          const pause = Date.parse(one.at) - Date.parse(before.at) - before.ms
          expect(pause).toBeGreaterThanOrEqual(RETRY_PAUSES[i] ?? 0)
        })
      },
    ),
  )
})

test('a success restarts the five days', () => {
  const failing = tryAll([{}, {}])
  const again = afterTry(failing, outcome({ at: '2026-01-05T00:00:00.000Z', status: 200, error: null }), 0)
  expect(again).toMatchObject({ delivery: { state: 'delivered' }, webhook: { failingSince: null } })
})
