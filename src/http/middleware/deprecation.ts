import type { Middleware } from 'koa'

/** Since when the surface without a prefix replaces `/v1`, as RFC 9745 writes a date. */
const DEPRECATED_SINCE = `@${Date.UTC(2026, 10, 1) / 1000}`

/** Tells clients of `/v1` on each answer, errors included, that it is deprecated. */
export const deprecation: Middleware = async (ctx, next) => {
  if (/^\/v1(\/|$)/i.test(ctx.path)) ctx.set('Deprecation', DEPRECATED_SINCE)
  await next()
}
