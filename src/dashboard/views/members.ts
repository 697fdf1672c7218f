import type { ServiceError } from '../../domain/errors.ts'
import { prefixed } from '../../domain/ids.ts'
import { ROLES } from '../../domain/roles.ts'
import { param } from '../../http/api.ts'
import { readInvitation, readRole } from '../../http/bodies/member-schemas.ts'
import { plainControl, typed } from '../frame/controls.ts'
import { attempt, problemOf, withFaults } from '../frame/problem.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { projectPath, settingsFrame } from './project-frame.ts'
import { projectRef } from './projects.ts'

const MEMBERS = '/projects/:project/members'

/** Who works in a project, and with which role. */
export function memberViews(
  router: DashboardRouter,
  { frame, members, projects, recovery }: ViewPorts,
): void {
  const { words } = frame

  router.get(MEMBERS, (ctx) => showMembers(ctx, null))

  router.post(MEMBERS, async (ctx) => {
    const { caller, form } = ctx.state
    await attempt(
      async () => {
        const { projectId } = await members.invite(
          caller,
          projectRef(ctx),
          () => readInvitation({ email: form.get('email').trim(), role: form.get('role') }),
          words.lang,
        )
        const done = recovery === null ? 'memberInvited' : 'memberMailed'
        frame.goTo(ctx, projectPath({ id: projectId }, '/members'), done)
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
        else
          frame.goTo(
            ctx,
            `/dashboard/projects/${encodeURIComponent(projectRef(ctx))}/members`,
            'memberRemoved',
          )
      },
      (error) => showMembers(ctx, error),
    )
  })

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
    frame.show(ctx, 'members', {
      title: words.areas.members,
      ...settingsFrame(project, 'members', words, standing),
      problem: error && problemOf(error, words, controls),
      path,
      controls,
      roles,
      members: list.map(({ id, email, role, userId, createdAt }) => ({
        path: `${path}/${prefixed('mem', id)}`,
        email,
        role,
        isPaying: userId === project.userId,
        isMe: userId === caller.userId,
        createdAt,
      })),
    })
  }
}

function ref(ctx: DashboardContext) {
  return { project: projectRef(ctx), ref: param(ctx.params, 'member') }
}
