import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { verifyWebhook } from '../../src/client/verify-webhook.ts'

const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
const body = '{"type":"page.published","timestamp":"2026-11-01T09:30:00.000Z","data":{"page_name":"Größe"}}'
const now = Date.UTC(2026, 10, 1, 9, 30)
const timestamp = String(now / 1000)

function sign(text: string, { id = 'msg_1', at = timestamp, by = secret } = {}): string {
  const bytes = Buffer.from(by.replace('whsec_', ''), 'base64')
  return `v1,${createHmac('sha256', bytes).update(`${id}.${at}.${text}`).digest('base64')}`
}

function headers(changes: Record<string, string | undefined> = {}) {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': sign(body),
    ...changes,
  }
}

const other = `whsec_${Buffer.from('another secret, just as long....').toString('base64')}`

describe('verifyWebhook', () => {
  test('reads what was signed with the secret', async () => {
    const event = await verifyWebhook(secret, headers(), body, now)
    expect(event).toEqual(JSON.parse(body))
  })

  test('holds to the example of the Standard Webhooks specification', async () => {
    const event = await verifyWebhook(
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      {
        'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        'webhook-timestamp': '1614265330',
        'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      },
      '{"test": 2432232314}',
      1_614_265_330_000,
    )
    expect(event).toEqual({ test: 2_432_232_314 })
  })

  test.each([
    ['Headers', new Headers(headers())],
    [
      'header names in any case',
      { 'Webhook-Id': 'msg_1', 'WEBHOOK-TIMESTAMP': timestamp, 'Webhook-Signature': sign(body) },
    ],
    [
      'one good signature among several',
      headers({ 'webhook-signature': `v1a,x ${sign(body, { by: other })} ${sign(body)}` }),
    ],
  ])('accepts a request with %s', async (_, given) => {
    await expect(verifyWebhook(secret, given, body, now)).resolves.toMatchObject({ type: 'page.published' })
  })

  test('takes the body as bytes', async () => {
    await expect(verifyWebhook(secret, headers(), Buffer.from(body), now)).resolves.toMatchObject({
      type: 'page.published',
    })
  })

  test.each([
    ['a body that was changed', headers(), body.replace('published', 'removed'), 'not signed'],
    ['another id', headers({ 'webhook-id': 'msg_2' }), body, 'not signed'],
    ['another secret', headers({ 'webhook-signature': sign(body, { by: other }) }), body, 'not signed'],
    [
      'no signature of this scheme',
      headers({ 'webhook-signature': sign(body).replace('v1,', 'v2,') }),
      body,
      'not signed',
    ],
    ['a missing header', headers({ 'webhook-id': undefined }), body, 'no webhook-id header'],
    [
      'a timestamp that is none',
      headers({ 'webhook-timestamp': 'soon' }),
      body,
      'more than five minutes off',
    ],
  ])('refuses a request with %s', async (_, given, text, reason) => {
    await expect(verifyWebhook(secret, given, text, now)).rejects.toThrow(reason)
  })

  test('takes five minutes either way, and no more', async () => {
    const minutes = 60_000
    for (const off of [-5 * minutes, 5 * minutes])
      await expect(verifyWebhook(secret, headers(), body, now + off)).resolves.toBeDefined()
    for (const off of [-5 * minutes - 1, 5 * minutes + 1])
      await expect(verifyWebhook(secret, headers(), body, now + off)).rejects.toThrow(
        'more than five minutes off',
      )
  })
})
