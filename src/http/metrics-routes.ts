import Router from '@koa/router'
import type { Metrics } from '../metrics/metrics.ts'

/** `/metrics` in the text format of Prometheus, without a key and without being counted. */
export function metricsRoutes({
  metrics,
}: {
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>
}): Router {
  const router = new Router()
  /** Shared by all who ask meanwhile: it reads the queue, and nobody needs a key to ask. */
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
