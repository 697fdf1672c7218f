import type { Message, Reply } from '../webhooks/send.ts'
import { type Purge, purgeRequests } from './purge-requests.ts'
import type { PurgeTarget } from './purge-target.ts'

/** The CDN did not accept a purge. The message is one line for the operator and contains no secret. */
export class PurgeFailed extends Error {
  override readonly name = 'PurgeFailed'
  /** Seconds after which the CDN accepts another request (`Retry-After`); null when it does not say. */
  readonly retryAfter: number | null

  constructor(message: string, retryAfter: number | null) {
    super(message)
    this.retryAfter = retryAfter
  }
}

/** Purges the CDN. @throws {PurgeFailed} */
export type Purger = (purge: Purge, stopping: AbortSignal) => Promise<void>

export interface PurgerPorts {
  readonly target: PurgeTarget
  readonly send: (message: Message, stopping: AbortSignal) => Promise<Reply>
  /** Signs requests to CloudFront. */
  readonly sign: (message: Message) => Promise<Message>
  /** Unique for each call. */
  readonly newReference: () => string
}

/** Characters of an answer that a message quotes. */
const QUOTED = 200

export function createPurger({ target, send, sign, newReference }: PurgerPorts): Purger {
  return async (purge, stopping) => {
    for (const request of purgeRequests(target, purge, newReference())) {
      const message = target.service === 'cloudfront' ? await sign(request) : request
      const reply = await send(message, stopping)
      if (!isAccepted(reply)) throw refusal(reply)
    }
  }

  function refusal({ status, answer, retryAfter, failure }: Reply): PurgeFailed {
    const quoted = withoutToken(answer).replace(/\s+/g, ' ').slice(0, QUOTED)
    const reason = status === null ? (failure ?? 'no answer') : `it answered ${status}: ${quoted}`
    const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : null
    return new PurgeFailed(`The CDN (${target.service}) was not purged: ${reason}`, seconds)
  }

  function withoutToken(text: string): string {
    return target.token === null ? text : text.replaceAll(target.token, '…')
  }
}

function isAccepted({ status }: Reply): boolean {
  return status !== null && status >= 200 && status < 300
}
