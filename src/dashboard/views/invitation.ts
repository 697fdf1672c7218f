import { ServiceError } from '../../domain/errors.ts'
import { queryOf } from '../../http/api.ts'
import { invitationPath } from '../../services/members/invitation-path.ts'
import { newPassword, readNewPassword } from '../frame/controls.ts'
import { attempt, problemOf, withFaults } from '../frame/problem.ts'
import { clientOf, setSessionCookie } from '../frame/session-cookie.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { projectPath } from './project-frame.ts'

/** The page of a link to an invitation. Opening it changes nothing, so link scanners cannot use it up. */
export function invitationViews(router: DashboardRouter, { frame, invitationLinks }: ViewPorts): void {
  const { words } = frame

  router.get('/invitation', (ctx) => showInvitation(ctx, queryOf(ctx).get('token') ?? '', null))

  router.post('/invitation/accept', async (ctx) => {
    const { caller, form } = ctx.state
    const link = form.get('link')
    await attempt(
      async () => {
        const id = await invitationLinks.accept(caller, link)
        frame.goTo(ctx, projectPath({ id }), 'invitationAccepted')
      },
      (error) => showInvitation(ctx, link, error),
    )
  })

  router.post('/invitation/decline', async (ctx) => {
    const { caller, form } = ctx.state
    const link = form.get('link')
    await attempt(
      async () => {
        await invitationLinks.decline(caller, link)
        frame.goTo(ctx, '/dashboard/account', 'offerDeclined')
      },
      (error) => showInvitation(ctx, link, error),
    )
  })

  /** With a new account, in a browser without a session. */
  router.post('/invitation/join', async (ctx) => {
    const { form, isSecure, sessionToken } = ctx.state
    const link = form.get('link')
    await attempt(
      async () => {
        if (sessionToken !== null) throw new ServiceError('conflict', words.invitation.signedIn)
        const password = readNewPassword(form, words)
        const { projectId, ...started } = await invitationLinks.join(link, password, clientOf(ctx))
        setSessionCookie(ctx, started, isSecure)
        frame.goTo(ctx, projectPath({ id: projectId }), 'invitationAccepted')
      },
      (error) => showInvitation(ctx, link, error),
    )
  })

  async function showInvitation(
    ctx: DashboardContext,
    link: string,
    error: ServiceError | null,
  ): Promise<void> {
    const invitation = await invitationLinks.find(link)
    const { badTitle, bad, title } = words.invitation
    if (invitation === null) {
      const problem = { status: 404, title: badTitle, message: bad, list: [] }
      return frame.show(ctx, 'invitation', { title: badTitle, problem, invitation, link, controls: [] })
    }
    const controls = withFaults(newPassword(words), error ?? { fields: [] }, words)
    frame.show(ctx, 'invitation', {
      title,
      problem: error && problemOf(error, words, controls),
      invitation,
      link,
      signIn: `/dashboard/sign-in?${new URLSearchParams({ next: invitationPath(link) })}`,
      controls,
    })
  }
}
