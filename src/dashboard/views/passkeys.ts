import { ServiceError } from '../../domain/errors.ts'
import { prefixed } from '../../domain/ids.ts'
import { type RelyingParty, relyingParty } from '../../domain/relying-party.ts'
import { param } from '../../http/api.ts'
import { requestTarget } from '../../http/public/request-target.ts'
import { browserName } from '../frame/browser-name.ts'
import { currentPassword, plainControl } from '../frame/controls.ts'
import { attempt, problemOf, withFaults } from '../frame/problem.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'

const PATH = '/dashboard/account/passkeys'

/** The passkeys of a user. */
export function passkeyViews(router: DashboardRouter, { frame, passkeys, dashboard }: ViewPorts): void {
  const { words } = frame

  router.get('/account/passkeys', (ctx) => showPasskeys(ctx, null))

  router.post('/account/passkeys/begin', async (ctx) => {
    const { caller, form } = ctx.state
    await attempt(
      async () => showNew(ctx, await passkeys.begin(caller, form.get('current_password'), party(ctx))),
      (error) => showPasskeys(ctx, error),
    )
  })

  router.post('/account/passkeys', async (ctx) => {
    const { caller, form } = ctx.state
    const answer = { response: form.get('response'), name: form.get('name') }
    await attempt(
      async () => {
        await passkeys.add(caller, answer, party(ctx))
        frame.goTo(ctx, PATH, 'passkeyAdded')
      },
      (error) => showPasskeys(ctx, error),
    )
  })

  router.post('/account/passkeys/:passkey/name', async (ctx) => {
    const { caller, form } = ctx.state
    await attempt(
      async () => {
        await passkeys.rename(caller, param(ctx.params, 'passkey'), form.get('name'))
        frame.goTo(ctx, PATH, 'passkeyRenamed')
      },
      (error) => showPasskeys(ctx, error),
    )
  })

  router.post('/account/passkeys/:passkey/remove', async (ctx) => {
    await passkeys.remove(ctx.state.caller, param(ctx.params, 'passkey'))
    frame.goTo(ctx, PATH, 'passkeyRemoved')
  })

  function party(ctx: DashboardContext): RelyingParty {
    const found = partyOf(ctx, dashboard.baseUrl)
    if (found === null) throw new ServiceError('invalid_request', words.passkeys.elsewhere(dashboard.baseUrl))
    return found
  }

  async function showPasskeys(ctx: DashboardContext, error: ServiceError | null): Promise<void> {
    const [password] = withFaults([currentPassword(words)], error ?? { fields: [] }, words)
    frame.show(ctx, 'passkeys', {
      title: words.passkeys.title,
      crumbs: [{ href: '/dashboard/account', name: words.account.title }],
      problem: error && problemOf(error, words, password === undefined ? [] : [password]),
      password,
      baseUrl: partyOf(ctx, dashboard.baseUrl) === null ? dashboard.baseUrl : null,
      passkeys: (await passkeys.list(ctx.state.caller)).map(({ id, name, createdAt, usedAt }) => ({
        path: `${PATH}/${prefixed('psk', id)}`,
        name,
        createdAt,
        usedAt,
      })),
    })
  }

  /** @param options for the browser, which only this page has. */
  function showNew(ctx: DashboardContext, options: string): void {
    const browser = browserName(ctx.get('user-agent'))
    const control = plainControl({
      name: 'name',
      label: words.passkeys.name,
      hint: words.passkeys.nameHint,
      isRequired: true,
      maxLength: 60,
      autocomplete: 'off',
      value: browser ?? '',
    })
    frame.show(ctx, 'passkey-new', {
      title: words.passkeys.add,
      crumbs: [
        { href: '/dashboard/account', name: words.account.title },
        { href: PATH, name: words.passkeys.title },
      ],
      script: 'passkeys',
      options,
      control,
    })
  }
}

/** Returns the relying party of this request's passkeys; null if passkeys are not available. */
export function partyOf(ctx: DashboardContext, baseUrl: string): RelyingParty | null {
  return relyingParty(requestTarget(ctx.req).host, baseUrl)
}
