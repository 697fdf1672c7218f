import { z } from 'zod'
import { prefixed } from '../../domain/ids.ts'
import type { MemberRef, MemberService } from '../../services/members/members.ts'
import { idParam, idRef } from '../answer-fields.ts'
import type { Representation } from '../api.ts'
import {
  INVITE_READ_ONLY,
  InviteMember,
  MEMBER_FIXED,
  readInvitation,
  readRole,
  UpdateMember,
} from '../bodies/member-schemas.ts'
import { readNoFields } from '../bodies/publish-schemas.ts'
import { type ApiRequest, type Endpoint, endpointsWith, record } from '../endpoint.ts'
import { requestBody } from '../openapi/body.ts'
import { json } from '../openapi/operation.ts'
import {
  DeletedMember,
  InvitationAnswer,
  InvitedMemberAnswer,
  MemberAnswer,
  MemberList,
} from './member-answers.ts'
import { presentInvited, presentMember, presentRenewed } from './present-member.ts'

export interface MemberOperationPorts {
  readonly members: MemberService
}

const endpoint = endpointsWith<MemberOperationPorts>()

const project = idParam('proj')
const member = z.object({ ...project.shape, member_id: idRef('mem') })

export const MEMBER_OPERATIONS: readonly Endpoint<MemberOperationPorts>[] = [
  endpoint({
    id: 'listMembers',
    method: 'get',
    path: '/projects/{id}/members',
    tag: 'Members',
    summary: 'List the members of a project',
    client: 'members.list',
    description:
      'The owner whose account the project belongs to comes first, then the others, oldest first. A project has at most 100 of them.',
    params: project,
    answers: [json(200, 'The members.', MemberList)],
    async run({ caller, param }, { members }) {
      return record((await members.list(caller, param('id'))).map(presentMember))
    },
  }),
  endpoint({
    id: 'inviteMember',
    method: 'post',
    path: '/projects/{id}/members',
    tag: 'Members',
    summary: 'Invite a member',
    client: 'members.invite',
    permission: 'manage',
    agents: 'confirm',
    description: [
      'By owners, whose keys need the permission `manage`. Every invitation is accepted by its person, also by one who has an account: in the dashboard, at `/users/me/offers`, or by a link. It waits for 14 days, for the verified address and for holders of a link.',
      'The answer has a link, which is shown once. Where mail is set up, the person gets another one, which proves the address as well. Inviting an address again answers 200, with the new role and a new link; the former links end.',
      'Repeated with the same `Idempotency-Key`, the request answers another link, because the first answer was not received.',
      'Members work with their own keys. What they store and publish counts for the account that the project belongs to.',
    ].join(' '),
    params: project,
    body: {
      schema: requestBody(InviteMember, { id: 'InviteMember', ignored: INVITE_READ_ONLY }),
      required: true,
      example: { email: 'ada@example.com', role: 'editor' },
    },
    answers: [
      json(201, 'The invited member, with a link.', InvitedMemberAnswer),
      json(200, 'The member, who was invited before, with a new link.', InvitedMemberAnswer),
    ],
    errors: ['conflict'],
    async run({ caller, body, param }, { members }) {
      const invited = await members.invite(caller, param('id'), () => readInvitation(body))
      const { isNew, member } = invited
      return record(presentInvited(invited), {
        status: isNew ? 201 : 200,
        secret: true,
        version: member.version,
      })
    },
  }),
  endpoint({
    id: 'renewInvitation',
    method: 'post',
    path: '/projects/{id}/members/{member_id}/invitation',
    tag: 'Members',
    summary: 'Give an invitation a new link',
    client: 'members.renewInvitation',
    permission: 'manage',
    agents: 'none',
    description: [
      'By owners, whose keys need the permission `manage`. The former links end, and the invitation lasts 14 days from now on, also if it was declined or had expired. Where mail is set up, it is mailed again, at most three times an hour to one address: beyond that, `mail.status` is `none`.',
      'Repeated with the same `Idempotency-Key`, the request answers another link, and no mail is sent.',
    ].join(' '),
    params: member,
    answers: [json(201, 'The new link.', InvitationAnswer)],
    errors: ['conflict'],
    async run({ caller, body, param }, { members }) {
      const invited = await members.resend(caller, memberOf(param), () => readNoFields(body))
      return record(presentRenewed(invited), { status: 201, secret: true })
    },
  }),
  endpoint({
    id: 'getMember',
    method: 'get',
    path: '/projects/{id}/members/{member_id}',
    tag: 'Members',
    summary: 'Get a member',
    client: 'members.get',
    params: member,
    answers: [json(200, 'The member.', MemberAnswer)],
    async run({ caller, param }, { members }) {
      const found = await members.get(caller, memberOf(param))
      return record(presentMember(found), { version: found.version })
    },
  }),
  endpoint({
    id: 'updateMember',
    method: 'put',
    path: '/projects/{id}/members/{member_id}',
    tag: 'Members',
    summary: 'Change the role of a member',
    client: 'members.update',
    permission: 'manage',
    agents: 'confirm',
    description:
      'By owners. The owner whose account the project belongs to keeps the role. Rights that the member loses are refused at once.',
    params: member,
    body: {
      schema: requestBody(UpdateMember, { id: 'UpdateMember', ignored: MEMBER_FIXED }),
      required: true,
      example: { role: 'author' },
    },
    answers: [json(200, 'The member.', MemberAnswer)],
    errors: ['conflict'],
    current: currentMember,
    async run({ caller, body, param, match }, { members }) {
      const updated = await members.changeRole(caller, memberOf(param), (stored) => {
        match(stored)
        return readRole(body)
      })
      return record(presentMember(updated), { version: updated.version })
    },
  }),
  endpoint({
    id: 'removeMember',
    method: 'delete',
    path: '/projects/{id}/members/{member_id}',
    tag: 'Members',
    summary: 'Remove a member',
    client: 'members.delete',
    permission: 'manage',
    description:
      'By owners, and by members who leave; an invitation that waits is taken back, and its links end; keys need the permission `manage`. The keys of the member lose the project at once, and preview links that they created end.',
    params: member,
    answers: [json(200, 'The member is removed.', DeletedMember)],
    errors: ['conflict'],
    current: currentMember,
    async run({ caller, param, match }, { members }) {
      const id = await members.remove(caller, memberOf(param), match)
      return record({ id: prefixed('mem', id), deleted: true })
    },
  }),
]

/** Reads a member as its GET answers it, for any caller who may change it. */
async function currentMember(
  { caller, param }: ApiRequest,
  { members }: MemberOperationPorts,
): Promise<Representation> {
  const found = await members.get({ ...caller, permissions: ['read'] }, memberOf(param))
  return { version: found.version, body: { data: presentMember(found) } }
}

function memberOf(param: ApiRequest['param']): MemberRef {
  return { project: param('id'), ref: param('member_id') }
}
