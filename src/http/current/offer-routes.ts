import Router from '@koa/router'
import { prefixed } from '../../domain/ids.ts'
import type { Offer, OfferService } from '../../services/members/offers.ts'
import { type ApiState, param } from '../api.ts'
import { readOffer } from '../bodies/member-schemas.ts'
import { readNoFields } from '../bodies/publish-schemas.ts'
import { readJson, readOptionalJson } from '../read-json.ts'

export interface OfferRoutePorts {
  readonly offers: OfferService
}

export function offerRoutes({ offers }: OfferRoutePorts): Router<ApiState> {
  const router = new Router<ApiState>()

  router.get('/users/me/offers', async (ctx) => {
    ctx.body = { data: (await offers.list(ctx.state.caller)).map(presentOffer) }
  })

  router.post('/users/me/offers/:id/accept', async (ctx) => {
    const body = await readOptionalJson(ctx)
    const id = await offers.accept(ctx.state.caller, param(ctx.params, 'id'), () => readNoFields(body))
    ctx.body = { data: { id: prefixed('off', id), accepted: true } }
  })

  router.post('/users/me/offers/:id/decline', async (ctx) => {
    const body = await readOptionalJson(ctx)
    const id = await offers.decline(ctx.state.caller, param(ctx.params, 'id'), () => readNoFields(body))
    ctx.body = { data: { id: prefixed('off', id), declined: true } }
  })

  router.post('/projects/:id/transfer', async (ctx) => {
    const body = await readJson(ctx)
    const offer = await offers.offerProject(ctx.state.caller, param(ctx.params, 'id'), () => readOffer(body))
    // Its account changes when the offer is accepted.
    ctx.set('Location', `/projects/${prefixed('proj', offer.projectId)}`)
    ctx.status = 202
    ctx.body = { data: { to: offer.email, expires_at: offer.expiresAt } }
  })

  router.delete('/projects/:id/transfer', async (ctx) => {
    const id = await offers.withdraw(ctx.state.caller, param(ctx.params, 'id'))
    ctx.body = { data: { id: prefixed('proj', id), withdrawn: true } }
  })

  return router
}

function presentOffer({ id, kind, project, role, from, expiresAt }: Offer) {
  return {
    id: prefixed('off', id),
    kind,
    project: { id: prefixed('proj', project.id), name: project.name },
    role,
    from,
    expires_at: expiresAt,
  }
}
