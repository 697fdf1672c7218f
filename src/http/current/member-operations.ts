import { z } from 'zod'
import { idParam, idRef } from '../answer-fields.ts'
import { INVITE_READ_ONLY, InviteMember, MEMBER_FIXED, UpdateMember } from '../bodies/member-schemas.ts'
import { requestBody } from '../openapi/body.ts'
import { json, type Operation } from '../openapi/operation.ts'
import { DeletedMember, MemberAnswer, MemberList } from './member-answers.ts'

const project = idParam('proj')
const member = z.object({ ...project.shape, member_id: idRef('mem') })

/** Descriptions of the operations on members, which `member-routes.ts` implements. */
export const MEMBER_OPERATIONS: readonly Operation[] = [
  {
    id: 'listMembers',
    method: 'get',
    path: '/projects/{id}/members',
    tag: 'Members',
    summary: 'List the members of a project',
    description:
      'The owner whose account the project belongs to comes first, then the others, oldest first. A project has at most 100 of them.',
    params: project,
    answers: [json(200, 'The members.', MemberList)],
  },
  {
    id: 'inviteMember',
    method: 'post',
    path: '/projects/{id}/members',
    tag: 'Members',
    summary: 'Invite a member',
    description: [
      'By owners, whose keys need the permission `manage`. A person who has an account with this address is a member at once; others become one when an account is created for them. The answer is the same in both cases.',
      'Members work with their own keys. What they store and publish counts for the account that the project belongs to.',
    ].join(' '),
    params: project,
    body: {
      schema: requestBody(InviteMember, { id: 'InviteMember', ignored: INVITE_READ_ONLY }),
      required: true,
      example: { email: 'ada@example.com', role: 'editor' },
    },
    answers: [json(201, 'The new member.', MemberAnswer)],
    errors: ['conflict'],
  },
  {
    id: 'getMember',
    method: 'get',
    path: '/projects/{id}/members/{member_id}',
    tag: 'Members',
    summary: 'Get a member',
    params: member,
    answers: [json(200, 'The member.', MemberAnswer)],
  },
  {
    id: 'updateMember',
    method: 'put',
    path: '/projects/{id}/members/{member_id}',
    tag: 'Members',
    summary: 'Change the role of a member',
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
    guarded: true,
  },
  {
    id: 'removeMember',
    method: 'delete',
    path: '/projects/{id}/members/{member_id}',
    tag: 'Members',
    summary: 'Remove a member',
    description:
      'By owners, and by members who leave; keys need the permission `manage`. The keys of the member lose the project at once, and preview links that they created end.',
    params: member,
    answers: [json(200, 'The member is removed.', DeletedMember)],
    errors: ['conflict'],
    guarded: true,
  },
]
