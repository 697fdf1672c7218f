import type { Context, Middleware } from 'koa'
import { ServiceError } from '../../domain/errors.ts'

/** The version of the API, sent with every response. */
export const SERVICE_VERSION = '2026-11-01'

/** @throws {ServiceError} `invalid_request` when a request asks for a version the service does not know. */
export const knownVersion: Middleware = async (ctx, next) => {
  assertKnownVersion(ctx)
  await next()
}

/** For a route that answers only some of its requests. @throws {ServiceError} as `knownVersion`. */
export function assertKnownVersion(ctx: Context): void {
  const wanted = ctx.get('service-version')
  if (wanted !== '' && wanted !== SERVICE_VERSION) {
    throw new ServiceError('invalid_request', `service-version: must be ${SERVICE_VERSION}.`)
  }
}
