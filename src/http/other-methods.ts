import type { RouterContext } from '@koa/router'
import type { Context, Middleware } from 'koa'
import { ServiceError } from '../domain/errors.ts'

/**
 * Answers 405 to a request whose path has routes, but none for its method. The routes themselves say which have one.
 */
export const refuseOtherMethods: Middleware = async (ctx, next) => {
  const routes = (ctx as Partial<RouterContext>).matched ?? []
  const methods = routes.flatMap((route) => route.methods)
  if (methods.length > 0) refuseMethod(ctx, methods)
  await next()
}

/**
 * Refuses the method of a request.
 *
 * @param allowed the methods of the path; OPTIONS, which every path answers, is added.
 * @throws {ServiceError} `method_not_allowed`.
 */
export function refuseMethod(ctx: Context, allowed: readonly string[]): never {
  const methods = [...new Set([...allowed, 'OPTIONS'])].sort()
  ctx.set('Allow', methods.join(', '))
  throw new ServiceError(
    'method_not_allowed',
    `${ctx.method} is not allowed at ${ctx.path}. Allowed are: ${methods.join(', ')}.`,
  )
}
