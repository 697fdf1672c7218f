import Router from '@koa/router'
import type { Metrics } from '../metrics/metrics.ts'

/** `/metrics` in the text format of Prometheus; needs no key and does not count for rate limits. */
export function metricsRoutes({
  metrics,
}: {
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>
}): Router {
  const router = new Router()
  /** Concurrent requests share one reading, because it queries the database and the route needs no key. */
  let running: Promise<string> | null = null

  router.get('/metrics', async (ctx) => {
    running ??= metrics.text().finally(() => {
      running = null
    })
    ctx.body = await running
    ctx.set('Content-Type', metrics.contentType)
  })

  return router
}
