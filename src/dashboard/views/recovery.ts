import type { ServiceError } from '../../domain/errors.ts'
import { queryOf } from '../../http/api.ts'
import { readEmail } from '../../http/bodies/member-schemas.ts'
import { plainControl, typed } from '../frame/controls.ts'
import { attempt, problemOf, withFaults } from '../frame/problem.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'

/** A new password, and the proof of another address, by links in mails. Without mail there are no such pages. */
export function recoveryViews(router: DashboardRouter, { frame, recovery }: ViewPorts): void {
  const { words } = frame
  if (recovery === null) return

  router.get('/forgotten', (ctx) => showForgotten(ctx, null))

  router.post('/forgotten', async (ctx) => {
    const { form, address } = ctx.state
    await attempt(
      async () => {
        const email = readEmail({ email: form.get('email').trim() })
        await recovery.sendSetUpLink(email, address, words.lang)
        frame.show(ctx, 'forgotten', { title: words.recovery.sentTitle, isSent: true, controls: [] })
      },
      (error) => showForgotten(ctx, error),
    )
  })

  /** Opening it changes nothing, so link scanners cannot use it up. */
  router.get('/email', (ctx) => showConfirm(ctx, queryOf(ctx).get('token') ?? '', null))

  router.post('/email', async (ctx) => {
    const link = ctx.state.form.get('link')
    await attempt(
      async () => {
        await recovery.confirmEmail(ctx.state.caller, link, words.lang)
        frame.goTo(ctx, '/dashboard/account', 'emailConfirmed')
      },
      (error) => showConfirm(ctx, link, error),
    )
  })

  function showForgotten(ctx: DashboardContext, error: ServiceError | null): void {
    const email = plainControl({
      name: 'email',
      label: words.signIn.email,
      kind: 'email',
      isRequired: true,
      maxLength: 254,
      autocomplete: 'username',
    })
    const controls = withFaults(typed([email], ctx.state.form), error ?? { fields: [] }, words)
    frame.show(ctx, 'forgotten', {
      title: words.recovery.title,
      problem: error && problemOf(error, words, controls),
      isSent: false,
      controls,
    })
  }

  async function showConfirm(ctx: DashboardContext, link: string, error: ServiceError | null): Promise<void> {
    const { badTitle, bad, confirmTitle } = words.recovery
    // A rejection for another account says so: its user can sign in to the right one.
    if (error?.name === 'forbidden') throw error
    const email = error === null ? await recovery?.newEmail(ctx.state.caller, link) : null
    const problem = { status: 404, title: badTitle, message: bad, list: [] }
    if (email) frame.show(ctx, 'confirm-email', { title: confirmTitle, email, link })
    else frame.show(ctx, 'confirm-email', { title: badTitle, problem, email: null, link })
  }
}
