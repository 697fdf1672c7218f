import Router from '@koa/router'
import type { CountedName } from '../../db/repositories/visits.ts'
import type { VisitService, Visits } from '../../services/visits/visits.ts'
import { type ApiState, param, queryOf } from '../api.ts'
import { GetVisits } from '../bodies/visit-schemas.ts'
import { parseQuery } from '../parse.ts'

export interface VisitRoutePorts {
  readonly visits: VisitService
}

export function visitRoutes({ visits }: VisitRoutePorts): Router<ApiState> {
  const router = new Router<ApiState>()

  router.get('/projects/:id/visits', async (ctx) => {
    const days = parseQuery(GetVisits, queryOf(ctx))
    ctx.body = { data: presentVisits(await visits.report(ctx.state.caller, param(ctx.params, 'id'), days)) }
  })

  return router
}

function presentVisits({ isCounting, from, to, days, totals, names }: Visits) {
  return {
    counting: isCounting,
    from,
    to,
    totals: { pages: totals.page, not_found: totals.missing, searches: totals.search.people },
    days,
    pages: names.page.map(presentPath),
    not_found: names.missing.map(presentPath),
    searches: names.search.map(({ name, people }) => ({ term: name === '' ? null : name, count: people })),
  }
}

function presentPath({ name, people, agents }: CountedName) {
  return { path: name === '' ? null : name, people, agents }
}
