import Router from '@koa/router'
import type { Logger } from 'pino'
import type { Database } from '../db/repositories.ts'
import type { Storage } from '../storage/storage.ts'

/** `/healthz`: the process is alive. `/readyz`: the database and the store respond too. Neither needs a key. */
export function healthRoutes({ db, storage, log }: { db: Database; storage: Storage; log: Logger }): Router {
  const router = new Router()

  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' }
  })

  /** Concurrent requests share one check, because a check writes to the store and the route needs no key. */
  let running: Promise<readonly [boolean, boolean]> | null = null

  router.get('/readyz', async (ctx) => {
    running ??= Promise.all([
      answers('database', ctx.state['requestId'], () => db.check()),
      answers('storage', ctx.state['requestId'], () => storage.check()),
    ]).finally(() => {
      running = null
    })
    const [database, store] = await running
    ctx.status = database && store ? 200 : 503
    ctx.body = { status: database && store ? 'ok' : 'unavailable', database, storage: store }
  })

  return router

  async function answers(what: string, requestId: string, check: () => Promise<void>): Promise<boolean> {
    try {
      await check()
      return true
    } catch (error) {
      log.error({ err: error, request_id: requestId }, `The ${what} does not respond.`)
      return false
    }
  }
}
