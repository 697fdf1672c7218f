import { CodeNeededError, ServiceError } from '../../domain/errors.ts'
import { queryOf } from '../../http/api.ts'
import { plainControl, typed } from '../frame/controls.ts'
import { attempt, problemOf } from '../frame/problem.ts'
import { HOME, returnPath } from '../frame/return-path.ts'
import { clearSessionCookie, clientOf, setSessionCookie } from '../frame/session-cookie.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { partyOf } from './passkeys.ts'
import { askForCode } from './sign-in-code.ts'

const PATH = '/dashboard/sign-in'

/** Sign-in and sign-out. Both need no session. */
export function signInViews(
  router: DashboardRouter,
  { frame, sessions, passkeys, recovery, dashboard }: ViewPorts,
): void {
  const { words } = frame

  router.get('/sign-in', (ctx) => {
    if (ctx.state.sessionToken === null) showForm(ctx, null)
    else frame.goTo(ctx, returnPath(queryOf(ctx).get('next') ?? ''))
  })

  router.post('/sign-in', async (ctx) => {
    const { form, isSecure, sessionToken } = ctx.state
    await attempt(
      async () => {
        const started = await sessions.signIn({
          email: form.get('email'),
          password: form.get('password'),
          ...clientOf(ctx),
        })
        // The previous session would live on without a cookie.
        if (sessionToken !== null) await sessions.signOut(sessionToken)
        setSessionCookie(ctx, started, isSecure)
        frame.goTo(ctx, returnPath(form.get('next')))
      },
      (error) => {
        if (error instanceof CodeNeededError) askForCode(ctx, frame, asked(ctx, error.challenge, null))
        else showForm(ctx, error)
      },
    )
  })

  router.post('/sign-in/code', async (ctx) => {
    const { form, isSecure, sessionToken } = ctx.state
    const challenge = form.get('challenge')
    await attempt(
      async () => {
        const started = await sessions.confirm(challenge, form.get('code'), clientOf(ctx))
        if (sessionToken !== null) await sessions.signOut(sessionToken)
        setSessionCookie(ctx, started, isSecure)
        frame.goTo(ctx, returnPath(form.get('next')))
      },
      (error) => {
        // Too late for a code.
        if (error.name === 'unauthorized') frame.goTo(ctx, PATH, 'signInAgain')
        else askForCode(ctx, frame, asked(ctx, challenge, error))
      },
    )
  })

  /** Options with which the browser asks for a passkey, when a user wants to use one. */
  router.get('/sign-in/passkey', async (ctx) => {
    const party = partyOf(ctx, dashboard.baseUrl)
    if (party === null) throw new ServiceError('not_found', words.passkeys.elsewhere(dashboard.baseUrl))
    ctx.type = 'application/json'
    ctx.body = await passkeys.signInOptions(party)
  })

  router.post('/sign-in/passkey', async (ctx) => {
    const { form, isSecure, sessionToken } = ctx.state
    const party = partyOf(ctx, dashboard.baseUrl)
    if (party === null) throw new ServiceError('not_found', words.passkeys.elsewhere(dashboard.baseUrl))
    await attempt(
      async () => {
        const started = await passkeys.signIn(form.get('response'), party, clientOf(ctx))
        if (sessionToken !== null) await sessions.signOut(sessionToken)
        setSessionCookie(ctx, started, isSecure)
        frame.goTo(ctx, returnPath(form.get('next')))
      },
      (error) => showForm(ctx, error, words.passkeys.refused),
    )
  })

  router.post('/sign-out', async (ctx) => {
    const { sessionToken, isSecure } = ctx.state
    if (sessionToken !== null) await sessions.signOut(sessionToken)
    clearSessionCookie(ctx, isSecure)
    frame.goTo(ctx, PATH, 'signedOut')
  })

  function asked(ctx: DashboardContext, challenge: string, error: ServiceError | null) {
    const hasPasskeys = partyOf(ctx, dashboard.baseUrl) !== null
    return { challenge, next: returnPath(ctx.state.form.get('next')), error, hasPasskeys }
  }

  function showForm(
    ctx: DashboardContext,
    error: ServiceError | null,
    refused: string = words.signIn.refused,
  ): void {
    const { form } = ctx.state
    const [email] = typed(
      [
        plainControl({
          name: 'email',
          label: words.signIn.email,
          kind: 'email',
          isRequired: true,
          autocomplete: 'username',
        }),
      ],
      form,
    )
    const next = returnPath(form.get('next') || (queryOf(ctx).get('next') ?? ''))
    const problem = error && problemOf(error, words)
    frame.show(ctx, 'sign-in', {
      title: words.signIn.title,
      script: partyOf(ctx, dashboard.baseUrl) === null ? null : 'passkeys',
      problem:
        problem !== null && error?.name === 'unauthorized'
          ? { ...problem, title: refused, message: null }
          : problem,
      next: next === HOME ? null : next,
      hasMail: recovery !== null,
      controls: [
        email,
        plainControl({
          name: 'password',
          label: words.signIn.password,
          kind: 'password',
          isRequired: true,
          autocomplete: 'current-password',
        }),
      ],
    })
  }
}
