import { randomUUID } from 'node:crypto'
import type { PurgeTarget } from '../cdn/purge-target.ts'
import { createPurger, type Purger } from '../cdn/purger.ts'
import { createCloudfrontSigner } from '../cdn/sign-cloudfront.ts'
import { send } from '../webhooks/send.ts'
import type { Resolve } from '../webhooks/target.ts'

/** The operator configures the CDN, so it may have any address. */
const RULES = { allowHttp: true, allowPrivate: true }

export function openPurger(target: PurgeTarget, resolve: Resolve): Purger {
  return createPurger({
    target,
    send: (message, stopping) => send(message, { rules: RULES, resolve }, stopping),
    sign: createCloudfrontSigner(),
    newReference: randomUUID,
  })
}
