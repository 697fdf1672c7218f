import { createHash } from 'node:crypto'
import type { Context, Middleware } from 'koa'
import type { StoredAnswer } from '../../db/repositories/idempotency.ts'
import type { Database } from '../../db/repositories.ts'
import { type Caller, type IdempotentRequest, keyOf } from '../../domain/caller.ts'
import { ServiceError, UnavailableError } from '../../domain/errors.ts'
import type { Authenticate } from '../../services/accounts/authentication.ts'
import { assertSameRequest } from '../../services/idempotency.ts'
import type { ApiState } from '../api.ts'
import { readBytes } from '../read-json.ts'
import { answerError } from './error-preference.ts'
import { errorBody, errorFields } from './errors.ts'

const WELL_FORMED = /^[\x21-\x7e]{1,255}$/

/**
 * Gives a POST with an `Idempotency-Key` its effect once: a repeated request within a day gets the stored answer, and a
 * concurrent one waits for the first.
 *
 * Answers with a secret and temporary errors (412, 429, 5xx) are not stored, so their requests run again. The services
 * record the effect in its own transaction.
 */
export function idempotency(runOnce: RunOnce): Middleware<ApiState> {
  return (ctx, next) => runOnce(ctx, () => readBytes(ctx), next)
}

/**
 * Runs the rest of a request as `idempotency` says.
 *
 * @param readContent returns what distinguishes the body from others, besides the query.
 */
export type RunOnce = (
  ctx: Context,
  readContent: () => Promise<string | Uint8Array>,
  next: () => Promise<unknown>,
) => Promise<void>

export function createRunOnce({
  db,
  now,
  authenticate,
  baseUrl,
}: {
  readonly db: Database
  /** URL of the service. */
  readonly baseUrl: string
  readonly now: () => string
  readonly authenticate: Authenticate
}): RunOnce {
  const running = new Map<string, Promise<void>>()

  return async (ctx, readContent, next) => {
    const idempotencyKey = ctx.get('idempotency-key')
    if (ctx.method !== 'POST' || idempotencyKey === '') {
      await next()
      return
    }
    if (!WELL_FORMED.test(idempotencyKey)) {
      throw new ServiceError('invalid_request', 'Idempotency-Key: must be 1 to 255 visible ASCII characters.')
    }
    const bodyDigest = createHash('sha256')
      // The query is part of the request; without one the digest covers the body only.
      .update(ctx.search)
      .update(await readContent())
      .digest('hex')
    const { caller } = ctx.state as ApiState
    const request: IdempotentRequest = {
      keyId: keyOf(caller),
      path: ctx.path,
      idempotencyKey,
      bodyDigest,
    }

    const name = JSON.stringify([request.keyId, request.path, idempotencyKey])
    for (let first = running.get(name); first !== undefined; first = running.get(name)) {
      await first
      // The key may have been revoked or have expired while this request waited.
      await authenticate(ctx.get('authorization') || undefined)
    }
    let finish: () => void = () => {}
    running.set(name, new Promise((resolve) => (finish = resolve)))
    try {
      await answer(ctx, request, next)
    } finally {
      running.delete(name)
      finish()
    }
  }

  async function answer(
    ctx: Context,
    request: IdempotentRequest,
    next: () => Promise<unknown>,
  ): Promise<void> {
    const earlier = await db.read.idempotency.find(request, now())
    assertSameRequest(request, earlier)
    if (earlier?.answer != null) return replay(ctx, earlier.answer, baseUrl)

    const { caller } = ctx.state as ApiState
    ctx.state['caller'] = { ...caller, idempotentRequest: request } satisfies Caller
    try {
      await next()
    } catch (error) {
      const body = errorBody(error)
      await store(request, {
        status: body.statusCode,
        // A repeated request may have another preference, so the fields are stored in any case.
        body: JSON.stringify({ ...body, errors: errorFields(error) }),
        etag: null,
        location: null,
      })
      throw error
    }
    if (ctx.state['secret'] === true) return
    if (typeof ctx.body === 'string') {
      await store(request, {
        status: ctx.status,
        body: ctx.body,
        etag: ctx.response.get('ETag') || null,
        location: ctx.response.get('Location') || null,
      })
    }
  }

  /**
   * An answer that the database cannot store in time is sent all the same: a repeated request finds the resource that
   * the transaction of the effect recorded.
   */
  async function store(request: IdempotentRequest, answer: StoredAnswer): Promise<void> {
    const final = answer.status !== 412 && answer.status !== 429 && answer.status < 500
    const stored = db.write(({ idempotency }) =>
      final ? idempotency.storeAnswer(request, answer, now()) : idempotency.delete(request),
    )
    await stored.catch((error) => {
      if (!(error instanceof UnavailableError)) throw error
    })
  }
}

function replay(ctx: Context, { status, body, etag, location }: StoredAnswer, baseUrl: string): void {
  ctx.set('Idempotency-Replayed', 'true')
  if (status >= 400) {
    const { errors, ...specified } = JSON.parse(body)
    answerError(ctx, specified, errors, baseUrl)
    return
  }
  ctx.status = status
  ctx.body = body
  ctx.type = 'application/json; charset=utf-8'
  if (etag !== null) ctx.set('ETag', etag)
  if (location !== null) ctx.set('Location', location)
}
