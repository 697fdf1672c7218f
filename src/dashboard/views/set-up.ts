import { CodeNeededError, ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import { queryOf } from '../../http/api.ts'
import { plainControl } from '../frame/controls.ts'
import { attempt, problemOf, withFaults } from '../frame/problem.ts'
import { HOME } from '../frame/return-path.ts'
import { setSessionCookie } from '../frame/session-cookie.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { partyOf } from './passkeys.ts'
import { askForCode } from './sign-in-code.ts'

/** The page of a set-up link. To open it changes nothing, so that programs which open links use none up. */
export function setUpViews(router: DashboardRouter, { frame, setUpLinks, dashboard }: ViewPorts): void {
  const { words } = frame

  router.get('/set-up', (ctx) => showForm(ctx, queryOf(ctx).get('token') ?? '', null))

  router.post('/set-up', async (ctx) => {
    const { form, address, isSecure } = ctx.state
    const link = form.get('link')
    await attempt(
      async () => {
        if (form.get('password') !== form.get('again'))
          throw fieldFailure('validation_error', [{ path: 'again', message: words.setUp.different }])
        const client = { address, userAgent: ctx.get('user-agent') }
        const { token } = await setUpLinks.redeem(link, form.get('password'), client).catch(asBadLink)
        setSessionCookie(ctx, token, isSecure)
        frame.goTo(ctx, HOME, 'passwordChosen')
      },
      (error) => {
        if (error instanceof CodeNeededError)
          return askForCode(ctx, frame, {
            challenge: error.challenge,
            next: HOME,
            error: null,
            hasPasskeys: partyOf(ctx, dashboard.baseUrl) !== null,
          })
        return showForm(ctx, link, error)
      },
    )
  })

  async function showForm(ctx: DashboardContext, link: string, error: ServiceError | null): Promise<void> {
    const email = await setUpLinks.emailOf(link)
    if (email === null) {
      const problem = { status: 404, title: words.setUp.badTitle, message: words.setUp.bad, list: [] }
      return frame.show(ctx, 'set-up', { title: words.setUp.badTitle, problem, email, link, controls: [] })
    }
    const controls = withFaults(
      [
        plainControl({
          name: 'password',
          label: words.setUp.password,
          hint: words.setUp.hint,
          kind: 'password',
          isRequired: true,
          autocomplete: 'new-password',
        }),
        plainControl({
          name: 'again',
          label: words.setUp.again,
          kind: 'password',
          isRequired: true,
          autocomplete: 'new-password',
        }),
      ],
      error ?? { fields: [] },
      words,
    )
    frame.show(ctx, 'set-up', {
      title: words.setUp.title,
      problem: error && problemOf(error, words, controls),
      email,
      link,
      controls,
    })
  }
}

/** A used link is a refusal of this form, not a page that does not exist. */
function asBadLink(error: unknown): never {
  if (error instanceof ServiceError && error.name === 'not_found')
    throw new ServiceError('conflict', error.message, { cause: error })
  throw error
}
