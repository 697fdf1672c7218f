import type { Middleware } from 'koa'
import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Authenticate } from '../../services/accounts/authentication.ts'
import type { ApiState } from '../api.ts'
import { hasBody, readBytes } from '../read-json.ts'

/** Answers the error of the request's key, or sets `state.caller`. */
export const authenticated: Middleware<ApiState> = async (ctx, next) => {
  const { identity } = ctx.state
  if (identity === undefined) throw new RangeError('Requests must be counted before they are authenticated.')
  if (identity instanceof ServiceError) throw identity
  ctx.state.caller = inRequest(identity, ctx.state)
  await next()
}

/** The caller with what belongs to this request. */
export function inRequest(
  caller: Caller,
  { requestId, clientAddress, held }: Pick<ApiState, 'requestId' | 'clientAddress' | 'held'>,
): Caller {
  return { ...caller, requestId, clientAddress, reserve: held.reading }
}

/** Methods whose routes read a body. */
const WITH_BODY = new Set(['POST', 'PUT'])

/**
 * Reads the body and checks the key again. A body can arrive so slowly that its key expires or is revoked meanwhile,
 * and such a request must not have an effect.
 *
 * @throws {ServiceError} `invalid_api_key`, or as `readBytes`.
 */
export function authenticatedAfterBody({
  authenticate,
}: {
  readonly authenticate: Authenticate
}): Middleware<ApiState> {
  return async (ctx, next) => {
    if (WITH_BODY.has(ctx.method) && hasBody(ctx)) {
      await readBytes(ctx)
      const caller = await authenticate(ctx.get('authorization') || undefined)
      ctx.state.caller = inRequest(caller, ctx.state)
    }
    await next()
  }
}
