import { CodeNeededError, ServiceError } from '../../domain/errors.ts'
import { queryOf } from '../../http/api.ts'
import { newPassword, readNewPassword } from '../frame/controls.ts'
import { attempt, problemOf, withFaults } from '../frame/problem.ts'
import { HOME } from '../frame/return-path.ts'
import { clientOf, setSessionCookie } from '../frame/session-cookie.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { partyOf } from './passkeys.ts'
import { askForCode } from './sign-in-code.ts'

/** The page of a set-up link. Opening it changes nothing, so link scanners cannot use it up. */
export function setUpViews(router: DashboardRouter, { frame, setUpLinks, dashboard }: ViewPorts): void {
  const { words } = frame

  router.get('/set-up', (ctx) => showForm(ctx, queryOf(ctx).get('token') ?? '', null))

  router.post('/set-up', async (ctx) => {
    const { form, isSecure } = ctx.state
    const link = form.get('link')
    await attempt(
      async () => {
        const password = readNewPassword(form, words)
        const started = await setUpLinks.redeem(link, password, clientOf(ctx)).catch(asBadLink)
        setSessionCookie(ctx, started, isSecure)
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
    const controls = withFaults(newPassword(words), error ?? { fields: [] }, words)
    frame.show(ctx, 'set-up', {
      title: words.setUp.title,
      problem: error && problemOf(error, words, controls),
      email,
      link,
      controls,
    })
  }
}

/** A used link rejects this form; it is not a missing page. */
function asBadLink(error: unknown): never {
  if (error instanceof ServiceError && error.name === 'not_found')
    throw new ServiceError('conflict', error.message, { cause: error })
  throw error
}
