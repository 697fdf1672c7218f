import { performance } from 'node:perf_hooks'
import Router from '@koa/router'
import type { Logger } from 'pino'
import type { Database } from '../db/repositories.ts'
import type { Storage } from '../storage/storage.ts'
import { createReadiness } from './readiness.ts'

/** Short, because a load balancer decides by the answer: shorter than writes wait for the lock of another process. */
const DATABASE_MS = 2_000
/** A bucket answers four requests for a check. */
const STORE_MS = 5_000

/** `/healthz`: the process is alive. `/readyz`: it can write to the database and the store too. Neither needs a key. */
export function healthRoutes({ db, storage, log }: { db: Database; storage: Storage; log: Logger }): Router {
  const router = new Router()
  const readiness = createReadiness(
    [
      { name: 'database', timeoutMs: DATABASE_MS, check: () => db.check(DATABASE_MS) },
      { name: 'storage', timeoutMs: STORE_MS, check: () => storage.check() },
    ],
    {
      monotonic: () => performance.now(),
      onFailure: (name, error) => log.error({ err: error }, `The ${name} does not respond.`),
    },
  )

  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' }
  })

  router.get('/readyz', async (ctx) => {
    const [database = false, store = false] = await readiness()
    ctx.status = database && store ? 200 : 503
    ctx.body = { status: database && store ? 'ok' : 'unavailable', database, storage: store }
  })

  return router
}
