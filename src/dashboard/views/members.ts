import type { ServiceError } from '../../domain/errors.ts'
import { prefixed } from '../../domain/ids.ts'
import { ROLES } from '../../domain/roles.ts'
import { param } from '../../http/api.ts'
import { readInvitation, readOffer, readRole } from '../../http/bodies/member-schemas.ts'
import type { InvitedMember } from '../../services/members/members.ts'
import { plainControl, typed } from '../frame/controls.ts'
import { attempt, problemOf, withFaults } from '../frame/problem.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { projectPath, settingsFrame } from './project-frame.ts'
import { projectRef } from './projects.ts'

const MEMBERS = '/projects/:project/members'
const TRANSFER = '/projects/:project/transfer'

/** The members of a project, and their roles. */
export function memberViews(
  router: DashboardRouter,
  { frame, members, offers, projects, recovery }: ViewPorts,
): void {
  const { words } = frame

  router.get(MEMBERS, (ctx) => showMembers(ctx, null))

  router.post(MEMBERS, async (ctx) => {
    const { caller, form } = ctx.state
    await attempt(
      async () => {
        const invited = await members.invite(
          caller,
          projectRef(ctx),
          () => readInvitation({ email: form.get('email').trim(), role: form.get('role') }),
          words.lang,
        )
        showLink(ctx, invited)
      },
      (error) => showMembers(ctx, error),
    )
  })

  router.post(`${MEMBERS}/:member/invitation`, async (ctx) => {
    await attempt(
      async () => showLink(ctx, await members.resend(ctx.state.caller, ref(ctx), () => {}, words.lang)),
      (error) => showMembers(ctx, error),
    )
  })

  router.post(TRANSFER, async (ctx) => {
    const { caller, form } = ctx.state
    await attempt(
      async () => {
        const readEmail = () => readOffer({ email: form.get('email').trim() })
        await offers.offerProject(caller, projectRef(ctx), readEmail, words.lang)
        frame.goTo(ctx, membersPath(ctx), 'projectOffered')
      },
      (error) => showMembers(ctx, error),
    )
  })

  router.post(`${TRANSFER}/withdraw`, async (ctx) => {
    await attempt(
      async () => {
        await offers.withdraw(ctx.state.caller, projectRef(ctx))
        frame.goTo(ctx, membersPath(ctx), 'offerWithdrawn')
      },
      (error) => showMembers(ctx, error),
    )
  })

  router.post(`${MEMBERS}/:member/role`, async (ctx) => {
    const { caller, form } = ctx.state
    await attempt(
      async () => {
        const { projectId } = await members.changeRole(caller, ref(ctx), () =>
          readRole({ role: form.get('role') }),
        )
        frame.goTo(ctx, projectPath({ id: projectId }, '/members'), 'memberChanged')
      },
      (error) => showMembers(ctx, error),
    )
  })

  router.post(`${MEMBERS}/:member/remove`, async (ctx) => {
    const { caller } = ctx.state
    await attempt(
      async () => {
        let isOwn = false
        await members.remove(caller, ref(ctx), ({ userId }) => {
          isOwn = userId === caller.userId
        })
        if (isOwn) frame.goTo(ctx, '/dashboard/projects', 'projectLeft')
        else frame.goTo(ctx, membersPath(ctx), 'memberRemoved')
      },
      (error) => showMembers(ctx, error),
    )
  })

  /** The link is shown in the answer that creates it, and never again. */
  function showLink(ctx: DashboardContext, { member, url }: InvitedMember): void {
    const path = projectPath({ id: member.projectId }, '/members')
    if (url === null) {
      frame.goTo(ctx, path)
      return
    }
    ctx.state.secret = true
    const { linkTitle, linkHint, linkMailed, linkAlone, all } = words.members
    frame.show(ctx, 'secret', {
      title: linkTitle,
      crumbs: [{ href: path, name: words.areas.members }],
      name: member.email,
      secret: url,
      hint: `${linkHint} ${member.mail.status === 'none' ? linkAlone : linkMailed}`,
      back: { href: path, name: all },
    })
  }

  async function showMembers(ctx: DashboardContext, error: ServiceError | null): Promise<void> {
    const { caller, form, standing = null } = ctx.state
    const [{ project }, list] = await Promise.all([
      projects.get(caller, projectRef(ctx)),
      members.list(caller, projectRef(ctx)),
    ])
    const roles = ROLES.map((role) => ({ value: role, label: words.members.roles[role] }))
    const email = plainControl({
      name: 'email',
      label: words.members.email,
      hint: recovery === null ? words.members.emailHint : words.members.emailHintMail,
      kind: 'email',
      isRequired: true,
      maxLength: 254,
      autocomplete: 'off',
    })
    const role = plainControl({
      name: 'role',
      label: words.members.role,
      kind: 'choice',
      value: 'author',
      options: roles,
    })
    const controls = withFaults(typed([email, role], form), error ?? { fields: [] }, words)
    const path = projectPath(project, '/members')
    const isPayer = project.userId === caller.userId && project.status === 'active'
    const receiver = { ...email, id: 'transfer-email', hint: words.members.transferHint }
    frame.show(ctx, 'members', {
      title: words.areas.members,
      ...settingsFrame(project, 'members', words, standing),
      problem: error && problemOf(error, words, controls),
      path,
      hasMail: recovery !== null,
      controls,
      roles,
      transfer: isPayer
        ? {
            path: projectPath(project, '/transfer'),
            control: receiver,
            offer: await offers.offerOf(caller, projectRef(ctx)),
          }
        : null,
      members: list.map(({ id, email, role, userId, createdAt, state, invitedAt, expiresAt, mail }) => ({
        path: `${path}/${prefixed('mem', id)}`,
        email,
        role,
        isPaying: userId === project.userId,
        isMe: userId === caller.userId,
        createdAt,
        state,
        invitedAt,
        expiresAt,
        mail,
      })),
    })
  }
}

function ref(ctx: DashboardContext) {
  return { project: projectRef(ctx), ref: param(ctx.params, 'member') }
}

function membersPath(ctx: DashboardContext): string {
  return `/dashboard/projects/${encodeURIComponent(projectRef(ctx))}/members`
}
