import { param } from '../../http/api.ts'
import type { DashboardRouter, ViewPorts } from '../ports.ts'

/** Answers to the offers that the page of the account lists. */
export function offerViews(router: DashboardRouter, { frame, offers }: ViewPorts): void {
  router.post('/account/offers/:offer/accept', async (ctx) => {
    await offers.accept(ctx.state.caller, param(ctx.params, 'offer'))
    frame.goTo(ctx, '/dashboard/projects', 'offerAccepted')
  })

  router.post('/account/offers/:offer/decline', async (ctx) => {
    await offers.decline(ctx.state.caller, param(ctx.params, 'offer'))
    frame.goTo(ctx, '/dashboard/account', 'offerDeclined')
  })
}
