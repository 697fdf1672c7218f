import type { Context } from 'koa'
import type { Logger } from 'pino'
import { ServiceError, UnavailableError } from '../../domain/errors.ts'
import { STATUS } from '../../http/middleware/errors.ts'
import type { DashboardState } from '../ports.ts'
import type { Frame } from './frame.ts'
import { translated } from './translated.ts'

/** Fields of forms that a page of an error does not repeat. */
const SECRET = /password|again|token|link|base/

/**
 * Answers an error with a page that keeps the entered values. Unexpected errors are logged, and their details not sent.
 */
export function createAnswerErrors({ frame, log }: { readonly frame: Frame; readonly log: Logger }) {
  const { words } = frame

  return async (ctx: Context, next: () => Promise<void>): Promise<void> => {
    try {
      await next()
    } catch (error) {
      for (const name of ['Content-Length', 'Content-Encoding', 'ETag', 'Location']) ctx.remove(name)
      if (error instanceof UnavailableError) ctx.set('Retry-After', String(error.retryAfter))
      if (
        !(error instanceof ServiceError) ||
        (STATUS[error.name] >= 500 && !(error instanceof UnavailableError))
      )
        log.error(
          { err: error, request_id: ctx.state['requestId'], method: ctx.method, path: ctx.path },
          'Request failed.',
        )
      show(ctx, error)
    }
  }

  function show(ctx: Context, error: unknown): void {
    const name = error instanceof ServiceError ? error.name : 'internal_error'
    const { form, requestId } = ctx.state as DashboardState
    const isExpired = name === 'unauthorized'
    const isCrossSite =
      name === 'forbidden' && error instanceof ServiceError && error.message === words.fault.crossSite
    const title = isExpired
      ? words.fault.expiredTitle
      : isCrossSite
        ? words.fault.crossSiteTitle
        : (words.problem[name] ?? words.problem.other)
    frame.show(ctx, 'error', {
      title,
      problem: { status: STATUS[name], title, message: messageOf(error), list: [] },
      requestId,
      isExpired,
      isNotFound: name === 'not_found',
      // A form from another site does not have the user's own input.
      typed: isCrossSite
        ? []
        : form.entries().filter(([field, value]) => value !== '' && !SECRET.test(field)),
    })
  }

  function messageOf(error: unknown): string {
    if (!(error instanceof ServiceError) || error.name === 'internal_error') return words.fault.internal
    if (error.name === 'not_found') return words.fault.notFound
    return translated(error.message, { words })
  }
}
