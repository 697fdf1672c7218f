import { isPlaceholder } from '../../domain/email-address.ts'
import type { ServiceError } from '../../domain/errors.ts'
import { prefixed } from '../../domain/ids.ts'
import { param } from '../../http/api.ts'
import { readEmail } from '../../http/bodies/member-schemas.ts'
import type { Offer } from '../../services/members/offers.ts'
import { browserName } from '../frame/browser-name.ts'
import { currentPassword, plainControl, typed } from '../frame/controls.ts'
import { attempt, problemOf, withFaults } from '../frame/problem.ts'
import { browserCookie, setBrowserCookie, setSessionCookie } from '../frame/session-cookie.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'

const PATH = '/dashboard/account'

/** The sessions and the password of the signed-in user. */
export function accountViews(
  router: DashboardRouter,
  { frame, sessions, offers, recovery }: ViewPorts,
): void {
  const { words } = frame

  router.get('/account', (ctx) => showAccount(ctx, null))

  router.post('/account/password', async (ctx) => {
    const { caller, form, isSecure } = ctx.state
    await attempt(
      async () => {
        const started = await sessions.changePassword(
          caller,
          form.get('current_password'),
          form.get('new_password'),
          browserCookie(ctx.get('cookie'), isSecure),
        )
        setSessionCookie(ctx, started, isSecure)
        frame.goTo(ctx, PATH, 'passwordChanged')
      },
      (error) => showAccount(ctx, error),
    )
  })

  router.post('/account/email', async (ctx) => {
    const { caller, form } = ctx.state
    await attempt(
      async () => {
        const password = form.get('current_password')
        const read = () => readEmail({ email: form.get('email').trim() })
        if (recovery === null) await sessions.setEmail(caller, password, read)
        else await recovery.requestEmail(caller, { password, readEmail: read, language: words.lang })
        frame.goTo(ctx, PATH, recovery === null ? 'emailSet' : 'emailMailed')
      },
      (error) => showAccount(ctx, error),
    )
  })

  router.post('/account/sessions/end-others', async (ctx) => {
    const { caller, isSecure } = ctx.state
    await sessions.revokeOthers(caller)
    const cookie = browserCookie(ctx.get('cookie'), isSecure)
    setBrowserCookie(ctx, sessions.knowBrowser(caller, cookie), isSecure)
    frame.goTo(ctx, PATH, 'sessionsEnded')
  })

  router.post('/account/sessions/:session/end', async (ctx) => {
    await sessions.revoke(ctx.state.caller, param(ctx.params, 'session'))
    frame.goTo(ctx, PATH, 'sessionEnded')
  })

  async function showAccount(ctx: DashboardContext, error: ServiceError | null): Promise<void> {
    const live = await sessions.list(ctx.state.caller)
    const controls = withFaults(
      [
        currentPassword(words),
        plainControl({
          name: 'new_password',
          label: words.setUp.password,
          hint: words.setUp.hint,
          kind: 'password',
          isRequired: true,
          autocomplete: 'new-password',
        }),
      ],
      error ?? { fields: [] },
      words,
    )
    const [email] = withFaults(
      typed(
        [
          plainControl({
            name: 'email',
            label: words.signIn.email,
            kind: 'email',
            isRequired: true,
            maxLength: 254,
            autocomplete: 'email',
          }),
        ],
        ctx.state.form,
      ),
      error ?? { fields: [] },
      words,
    )
    const password = { ...currentPassword(words), id: 'email-password' }
    frame.show(ctx, 'account', {
      emailControls: recovery !== null || isPlaceholder(ctx.state.caller.email) ? [email, password] : null,
      emailLead: recovery === null ? words.account.emailLead : words.account.emailLeadMail,
      title: words.account.title,
      offers: await offers.list(ctx.state.caller).then((list) => list.map(offerRow)),
      problem: error && problemOf(error, words, controls),
      controls,
      sessions: live.map(({ id, userAgent, address, createdAt, usedAt, isCurrent }) => ({
        ref: prefixed('ses', id),
        browser: browserName(userAgent) ?? words.account.unknownBrowser,
        address,
        createdAt,
        usedAt,
        isCurrent,
      })),
    })
  }
}

function offerRow({ id, kind, project, role, from, expiresAt }: Offer) {
  return {
    path: `${PATH}/offers/${prefixed('off', id)}`,
    ...{ kind, project: project.name, role, from, expiresAt },
  }
}
