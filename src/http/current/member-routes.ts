import Router, { type RouterContext } from '@koa/router'
import { prefixed } from '../../domain/ids.ts'
import type { MemberRef, MemberService } from '../../services/members/members.ts'
import { type ApiState, param } from '../api.ts'
import { readInvitation, readRole } from '../bodies/member-schemas.ts'
import { readNoFields } from '../bodies/publish-schemas.ts'
import { assertMatch } from '../middleware/entity-tags.ts'
import { readJson, readOptionalJson } from '../read-json.ts'
import { presentInvited, presentMember, presentRenewed } from './present-member.ts'

export interface MemberRoutePorts {
  readonly members: MemberService
}

export function memberRoutes({ members }: MemberRoutePorts): Router<ApiState> {
  const router = new Router<ApiState>({ prefix: '/projects/:id/members' })

  router.get('/', async (ctx) => {
    const list = await members.list(ctx.state.caller, param(ctx.params, 'id'))
    ctx.body = { data: list.map(presentMember) }
  })

  router.post('/', async (ctx) => {
    const body = await readJson(ctx)
    const invited = await members.invite(ctx.state.caller, param(ctx.params, 'id'), () =>
      readInvitation(body),
    )
    ctx.status = invited.isNew ? 201 : 200
    ctx.state.secret = true
    ctx.state.version = invited.member.version
    ctx.body = { data: presentInvited(invited) }
  })

  router.post('/:member_id/invitation', async (ctx) => {
    const body = await readOptionalJson(ctx)
    const invited = await members.resend(ctx.state.caller, memberOf(ctx.params), () => readNoFields(body))
    ctx.status = 201
    ctx.state.secret = true
    ctx.body = { data: presentRenewed(invited) }
  })

  router.get('/:member_id', async (ctx) => {
    const member = await members.get(ctx.state.caller, memberOf(ctx.params))
    ctx.state.version = member.version
    ctx.body = { data: presentMember(member) }
  })

  router.put('/:member_id', async (ctx) => {
    const body = await readJson(ctx)
    compareWithMember(ctx)
    const member = await members.changeRole(ctx.state.caller, memberOf(ctx.params), (stored) => {
      assertMatch(ctx, stored.version)
      return readRole(body)
    })
    ctx.state.version = member.version
    ctx.body = { data: presentMember(member) }
  })

  router.delete('/:member_id', async (ctx) => {
    compareWithMember(ctx)
    const id = await members.remove(ctx.state.caller, memberOf(ctx.params), ({ version }) =>
      assertMatch(ctx, version),
    )
    ctx.body = { data: { id: prefixed('mem', id), deleted: true } }
  })

  return router

  /** `If-Match` refers to the member as a GET answers it. */
  function compareWithMember({ state, params }: RouterContext<ApiState>): void {
    state.current = async () => {
      const reader = { ...state.caller, permissions: ['read'] } as const
      const member = await members.get(reader, memberOf(params))
      return { version: member.version, body: { data: presentMember(member) } }
    }
  }
}

function memberOf(params: Readonly<Record<string, string | undefined>>): MemberRef {
  return { project: param(params, 'id'), ref: param(params, 'member_id') }
}
