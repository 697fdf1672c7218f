import { prefixed } from '../../domain/ids.ts'
import type { Offer as OfferRecord, OfferService } from '../../services/members/offers.ts'
import { idParam } from '../answer-fields.ts'
import { OfferProject, readOffer } from '../bodies/member-schemas.ts'
import { readNoFields } from '../bodies/publish-schemas.ts'
import { type Endpoint, endpointsWith, record } from '../endpoint.ts'
import { requestBody } from '../openapi/body.ts'
import { json } from '../openapi/operation.ts'
import { AcceptedOffer, DeclinedOffer, OfferedProject, OfferList, WithdrawnOffer } from './offer-answers.ts'

export interface OfferOperationPorts {
  readonly offers: OfferService
}

const endpoint = endpointsWith<OfferOperationPorts>()

const project = idParam('proj')
const offer = idParam('off')

export const OFFER_OPERATIONS: readonly Endpoint<OfferOperationPorts>[] = [
  endpoint({
    id: 'listOffers',
    method: 'get',
    path: '/users/me/offers',
    tag: 'Account',
    summary: 'List what others offer to you',
    client: 'users.offers',
    agents: 'none',
    description:
      'Invitations to projects, and projects that you may have, at most 100. They wait for the verified address of your account; an account whose address nothing has proved sees none. Not for keys of one project.',
    answers: [json(200, 'The offers.', OfferList)],
    async run({ caller }, { offers }) {
      return record((await offers.list(caller)).map(presentOffer))
    },
  }),
  endpoint({
    id: 'acceptOffer',
    method: 'post',
    path: '/users/me/offers/{id}/accept',
    tag: 'Account',
    summary: 'Accept an offer',
    client: 'users.acceptOffer',
    permission: 'manage',
    agents: 'none',
    description:
      'Needs the permission `manage`. By an invitation you become a member of the project. By a transfer the project becomes that of your account, if its limits have room for it, and its former owner stays as a member with the role `owner`.',
    params: offer,
    answers: [json(200, 'The offer is accepted.', AcceptedOffer)],
    errors: ['conflict', 'not_found'],
    async run({ caller, body, param }, { offers }) {
      const id = await offers.accept(caller, param('id'), () => readNoFields(body))
      return record({ id: prefixed('off', id), accepted: true })
    },
  }),
  endpoint({
    id: 'declineOffer',
    method: 'post',
    path: '/users/me/offers/{id}/decline',
    tag: 'Account',
    summary: 'Decline an offer',
    client: 'users.declineOffer',
    permission: 'manage',
    agents: 'none',
    description: 'Needs the permission `manage`.',
    params: offer,
    answers: [json(200, 'The offer is declined.', DeclinedOffer)],
    errors: ['not_found'],
    async run({ caller, body, param }, { offers }) {
      const id = await offers.decline(caller, param('id'), () => readNoFields(body))
      return record({ id: prefixed('off', id), declined: true })
    },
  }),
  endpoint({
    id: 'offerProject',
    method: 'post',
    path: '/projects/{id}/transfer',
    tag: 'Projects',
    summary: 'Offer a project to another account',
    client: 'projects.offer',
    permission: 'manage',
    agents: 'none',
    description:
      'By the owner of the account that the project belongs to; the key needs the permission `manage`. The person with the address sees the offer for 7 days and accepts or declines it. The answer is the same whether the address has an account. A second offer replaces the first one.',
    params: project,
    body: {
      schema: requestBody(OfferProject, { id: 'OfferProject' }),
      required: true,
      example: { email: 'ada@example.com' },
    },
    answers: [json(202, 'The project is offered.', OfferedProject)],
    errors: ['conflict'],
    async run({ caller, body, param }, { offers }) {
      const { projectId, email, expiresAt } = await offers.offerProject(caller, param('id'), () =>
        readOffer(body),
      )
      return record(
        { to: email, expires_at: expiresAt },
        // Its account changes when the offer is accepted.
        { status: 202, headers: { Location: `/projects/${prefixed('proj', projectId)}` } },
      )
    },
  }),
  endpoint({
    id: 'withdrawOffer',
    method: 'delete',
    path: '/projects/{id}/transfer',
    tag: 'Projects',
    summary: 'Take the offer of a project back',
    client: 'projects.withdrawOffer',
    permission: 'manage',
    agents: 'none',
    description:
      'By the owner of the account that the project belongs to; the key needs the permission `manage`.',
    params: project,
    answers: [json(200, 'The project is offered to no one.', WithdrawnOffer)],
    async run({ caller, param }, { offers }) {
      const id = await offers.withdraw(caller, param('id'))
      return record({ id: prefixed('proj', id), withdrawn: true })
    },
  }),
]

function presentOffer({ id, kind, project, role, from, expiresAt }: OfferRecord) {
  return {
    id: prefixed('off', id),
    kind,
    project: { id: prefixed('proj', project.id), name: project.name },
    role,
    from,
    expires_at: expiresAt,
  }
}
