import type { Middleware } from 'koa'

/** Date from which the surface without a prefix replaces `/v1`, in the format of RFC 9745. */
const DEPRECATED_SINCE = `@${Date.UTC(2026, 10, 1) / 1000}`

/** Adds the `Deprecation` header to every answer under `/v1`, including errors. */
export const deprecation: Middleware = async (ctx, next) => {
  if (isLegacyPath(ctx.path)) ctx.set('Deprecation', DEPRECATED_SINCE)
  await next()
}

/** Reports whether a path is of the legacy surface. Routes ignore case. */
export function isLegacyPath(path: string): boolean {
  return /^\/v1(\/|$)/i.test(path)
}
