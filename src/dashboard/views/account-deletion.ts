import { ServiceError } from '../../domain/errors.ts'
import { currentPassword, plainControl, typed } from '../frame/controls.ts'
import { attempt, problemOf, withFaults } from '../frame/problem.ts'
import { clearSessionCookie } from '../frame/session-cookie.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { partyOf } from './passkeys.ts'
import { projectPath } from './project-frame.ts'

/** The deletion of the user's own account, with the outcome for each project. */
export function accountDeletionViews(
  router: DashboardRouter,
  { frame, accountDeletion, passkeys, dashboard }: ViewPorts,
): void {
  const { words } = frame

  router.get('/account/delete', (ctx) => showDeletion(ctx, null))

  router.post('/account/delete', async (ctx) => {
    const { caller, form } = ctx.state
    await attempt(
      async () => {
        await accountDeletion.withPassword(caller, form.get('email'), form.get('current_password'))
        sayGoodbye(ctx)
      },
      (error) => showDeletion(ctx, error),
    )
  })

  /** Options with which the browser asks for a passkey. */
  router.get('/account/delete/passkey', async (ctx) => {
    ctx.type = 'application/json'
    ctx.body = await passkeys.confirmOptions(ctx.state.caller, party(ctx))
  })

  router.post('/account/delete/passkey', async (ctx) => {
    const { caller, form } = ctx.state
    await attempt(
      async () => {
        await accountDeletion.withPasskey(caller, form.get('email'), form.get('response'), party(ctx))
        sayGoodbye(ctx)
      },
      (error) => showDeletion(ctx, error),
    )
  })

  function party(ctx: DashboardContext) {
    const found = partyOf(ctx, dashboard.baseUrl)
    if (found === null) throw new ServiceError('not_found', words.passkeys.elsewhere(dashboard.baseUrl))
    return found
  }

  function sayGoodbye(ctx: DashboardContext): void {
    clearSessionCookie(ctx, ctx.state.isSecure)
    frame.goTo(ctx, '/dashboard/sign-in', 'accountDeleted')
  }

  async function showDeletion(ctx: DashboardContext, error: ServiceError | null): Promise<void> {
    const { caller, form } = ctx.state
    const email = plainControl({
      name: 'email',
      label: words.deletion.email(caller.email),
      kind: 'email',
      isRequired: true,
      maxLength: 254,
      autocomplete: 'off',
    })
    const controls = withFaults(
      [...typed([email], form), currentPassword(words)],
      error ?? { fields: [] },
      words,
    )
    const hasPasskeys = partyOf(ctx, dashboard.baseUrl) !== null && (await passkeys.list(caller)).length > 0
    frame.show(ctx, 'account-delete', {
      title: words.deletion.title,
      crumbs: [{ href: '/dashboard/account', name: words.account.title }],
      problem: error && problemOf(error, words, controls),
      script: hasPasskeys ? 'passkeys' : null,
      controls,
      passkeyEmail: { ...email, id: 'passkey-email' },
      hasPasskeys,
      projects: (await accountDeletion.ownProjects(caller)).map(({ id, name, offeredTo }) => ({
        path: projectPath({ id }),
        name,
        offeredTo,
      })),
    })
  }
}
