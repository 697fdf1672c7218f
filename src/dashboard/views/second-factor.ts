import type { ServiceError } from '../../domain/errors.ts'
import { currentPassword, plainControl } from '../frame/controls.ts'
import { attempt, problemOf, withFaults } from '../frame/problem.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'

const PATH = '/dashboard/account/codes'

/** The authenticator app of a user, and the recovery codes. */
export function secondFactorViews(router: DashboardRouter, { frame, secondFactors }: ViewPorts): void {
  const { words } = frame

  router.get('/account/codes', (ctx) => showCodes(ctx, null))

  router.post('/account/codes/begin', async (ctx) => {
    const { caller, form } = ctx.state
    await attempt(
      async () => {
        await secondFactors.begin(caller, form.get('current_password'))
        frame.goTo(ctx, PATH)
      },
      (error) => showCodes(ctx, error),
    )
  })

  router.post('/account/codes/enable', async (ctx) => {
    const { caller, form } = ctx.state
    await attempt(
      async () => showRecovery(ctx, await secondFactors.enable(caller, form.get('code'))),
      (error) => showCodes(ctx, error),
    )
  })

  router.post('/account/codes/renew', async (ctx) => {
    const { caller, form } = ctx.state
    await attempt(
      async () =>
        showRecovery(ctx, await secondFactors.renewRecoveryCodes(caller, form.get('current_password'))),
      (error) => showCodes(ctx, error),
    )
  })

  router.post('/account/codes/disable', async (ctx) => {
    const { caller, form } = ctx.state
    await attempt(
      async () => {
        await secondFactors.disable(caller, form.get('current_password'))
        frame.goTo(ctx, PATH, 'codesDisabled')
      },
      (error) => showCodes(ctx, error),
    )
  })

  async function showCodes(ctx: DashboardContext, error: ServiceError | null): Promise<void> {
    const { caller } = ctx.state
    const status = await secondFactors.status(caller)
    const app = await secondFactors.pending(caller)
    const controls = withFaults(
      [
        currentPassword(words),
        plainControl({
          name: 'code',
          label: words.codes.code,
          hint: words.codes.codeHint,
          isRequired: true,
          autocomplete: 'one-time-code',
        }),
      ],
      error ?? { fields: [] },
      words,
    )
    const [password, code] = controls
    frame.show(ctx, 'codes', {
      title: words.codes.title,
      crumbs: [{ href: '/dashboard/account', name: words.account.title }],
      problem: error && problemOf(error, words, controls),
      ...status,
      app: app && { uri: app.uri, secret: (app.secret.match(/.{1,4}/g) ?? []).join(' ') },
      password,
      code,
    })
  }

  /** In the answer itself, because the codes are stored as hashes only. */
  function showRecovery(ctx: DashboardContext, recoveryCodes: readonly string[]): void {
    frame.show(ctx, 'recovery-codes', {
      title: words.codes.recoveryTitle,
      crumbs: [
        { href: '/dashboard/account', name: words.account.title },
        { href: PATH, name: words.codes.title },
      ],
      recoveryCodes,
    })
  }
}
