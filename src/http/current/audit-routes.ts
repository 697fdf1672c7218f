import Router from '@koa/router'
import type { AuditLogService } from '../../services/audit/audit-log.ts'
import { type ApiState, listMeta, param, queryOf } from '../api.ts'
import { ListAudit, toAuditQuery } from '../bodies/audit-schemas.ts'
import { answerWithList } from '../list-answer.ts'
import { parseQuery } from '../parse.ts'
import { presentAuditEntry } from '../present-audit.ts'

export interface AuditRoutePorts {
  readonly auditLog: AuditLogService
}

export function auditRoutes({ auditLog }: AuditRoutePorts): Router<ApiState> {
  const router = new Router<ApiState>()

  router.get('/projects/:id/audit', async (ctx) => {
    const query = parseQuery(ListAudit, queryOf(ctx))
    const { caller } = ctx.state
    const listed = await auditLog.ofProject(caller, param(ctx.params, 'id'), toAuditQuery(query), query)
    answerWithList(ctx, listed.items, presentAuditEntry, (shown) => listMeta(query, shown, listed.total))
  })

  router.get('/users/me/audit', async (ctx) => {
    const query = parseQuery(ListAudit, queryOf(ctx))
    const listed = await auditLog.ofAccount(ctx.state.caller, toAuditQuery(query), query)
    answerWithList(ctx, listed.items, presentAuditEntry, (shown) => listMeta(query, shown, listed.total))
  })

  return router
}
