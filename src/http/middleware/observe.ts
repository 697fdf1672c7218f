import { SpanStatusCode } from '@opentelemetry/api'
import type { Context, Middleware } from 'koa'
import type { Logger } from 'pino'
import type { Metrics } from '../../metrics/metrics.ts'
import { inRequestSpan } from '../../platform/spans.ts'

/** Slower requests are logged as warnings. */
const SLOW_MS = 2_000

export interface ObservePorts {
  readonly metrics: Pick<Metrics, 'requestAnswered' | 'requestLimited'>
  readonly log: Pick<Logger, 'warn' | 'info' | 'debug'>
  /** Part of the answered requests that is logged at `info`, from 0 to 1. */
  readonly requestSample: number
  /** Random, from 0 up to 1. */
  readonly random?: () => number
}

/**
 * Measures and traces every request until its answer is ready. Logs slow ones as warnings, failed ones and a sample at
 * `info`, and all others at `debug`.
 */
export function observe({ metrics, log, requestSample, random = Math.random }: ObservePorts): Middleware {
  return (ctx, next) =>
    inRequestSpan(ctx.method, ctx.headers, async (span) => {
      const began = process.hrtime.bigint()
      try {
        await next()
      } finally {
        const seconds = Number(process.hrtime.bigint() - began) / 1e9
        const route = routeOf(ctx)
        const { method, status } = ctx
        metrics.requestAnswered({ route, method, status, seconds })
        if (status === 429) metrics.requestLimited(windowOf(ctx.body))
        const ms = Math.round(seconds * 1000)
        const requestId = ctx.state['requestId']
        const about = { request_id: requestId, route, method, status, ms }
        if (ms >= SLOW_MS) log.warn(about, 'A request was slow.')
        else if (status >= 500 || random() < requestSample) log.info(about, 'A request was answered.')
        else log.debug(about, 'A request was answered.')
        span.updateName(`${method} ${route}`).setAttributes({
          'http.request.method': method,
          'http.route': route,
          'http.response.status_code': status,
          'quoin.request_id': requestId,
        })
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      }
    })
}

/** The route pattern, not the path: paths are unbounded as values of a metric label. */
function routeOf(ctx: Context): string {
  if ((ctx.state['site'] ?? null) !== null) return 'site'
  const matched: unknown = ctx['_matchedRoute']
  if (typeof matched === 'string') return matched
  return matched instanceof RegExp ? '/public' : 'none'
}

function windowOf(body: unknown): string {
  const window = typeof body === 'object' && body !== null && 'window' in body ? body.window : null
  return typeof window === 'string' ? window : 'none'
}
