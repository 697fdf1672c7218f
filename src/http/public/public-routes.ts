import Router from '@koa/router'
import type { Context } from 'koa'
import type { Database } from '../../db/repositories.ts'
import { readId } from '../../domain/ids.ts'
import type { Storage } from '../../storage/storage.ts'
import type { AnswerAgent } from '../site-mcp/answer-agent.ts'
import type { Compression } from './compression.ts'
import type { CountedVisits } from './receive-visit.ts'
import { requestTarget } from './request-target.ts'
import { type StoreLog, servePlainNotFound, servePublic } from './site.ts'

export interface PublicPorts {
  readonly db: Database
  readonly storage: Storage
  readonly compression: Compression
  readonly answerAgent: AnswerAgent
  readonly visits: CountedVisits
  readonly log: StoreLog
}

const PREFIX = /^\/public\/([^/]+)(\/.*)?$/

/** `/public/{project_id}/…`: published objects, without a key. */
export function publicRoutes({ db, storage, compression, answerAgent, visits, log }: PublicPorts): Router {
  const router = new Router()

  router.all(/^\/public\//, async (ctx: Context) => {
    // The path stays encoded: `servePublic` decodes it once.
    const [, ref = '', sitePath = ''] = PREFIX.exec(requestTarget(ctx.req).path) ?? []
    const projectId = readId('proj', ref)
    if (projectId === null) return servePlainNotFound(ctx)
    const status = await db.read.projects.statusOf(projectId)
    const isAvailable = status !== null && status !== 'suspended'
    const { firstObject } = db.read.pages
    await servePublic(ctx, {
      storage,
      redirectAt: db.read.redirects.publicAt,
      firstObject,
      projectId,
      sitePath,
      sandboxed: true,
      isAvailable,
      compression,
      answerAgent,
      visits,
      log,
    })
  })

  return router
}
