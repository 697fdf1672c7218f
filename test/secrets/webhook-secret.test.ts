import { expect, test } from 'vitest'
import type { WebhookId } from '../../src/domain/ids.ts'
import { newMasterKey, parseMasterKey } from '../../src/secrets/master-key.ts'
import { openWebhookSecret, sealWebhookSecret } from '../../src/secrets/webhook-secret.ts'

const [webhook, other] = ['whk_1', 'whk_2'] as unknown as [WebhookId, WebhookId]
const secret = Buffer.from('0123456789abcdef0123456789abcdef')

test('a webhook secret opens for its own webhook only', () => {
  const masterKey = parseMasterKey(newMasterKey())
  const sealed = sealWebhookSecret(masterKey, webhook, secret)
  expect(Buffer.from(openWebhookSecret(masterKey, webhook, sealed))).toEqual(secret)
  expect(() => openWebhookSecret(masterKey, other, sealed)).toThrow(RangeError)
  expect(sealed.sealed).not.toContain(secret.toString('base64'))
})

test('a secret that an earlier version sealed still opens', () => {
  const masterKey = parseMasterKey(Buffer.alloc(32, 7).toString('base64'))
  const sealed = {
    masterKeyId: 'c1ea692c958a77a1',
    sealed: 'XP5YjRXh3WCTQEz+MuT0kDuii5lFaL8h3FjKNSFAWRHUtnAheVx+a7JrQ//dRnPcBgCxVJ5buuj7VV62',
  }
  expect(Buffer.from(openWebhookSecret(masterKey, webhook, sealed))).toEqual(secret)
})
