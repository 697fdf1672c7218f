import { idParam } from '../answer-fields.ts'
import { OfferProject } from '../bodies/member-schemas.ts'
import { requestBody } from '../openapi/body.ts'
import { json, type Operation } from '../openapi/operation.ts'
import { AcceptedOffer, DeclinedOffer, OfferedProject, OfferList, WithdrawnOffer } from './offer-answers.ts'

const project = idParam('proj')
const offer = idParam('off')

/** Descriptions of the operations on offers, which `offer-routes.ts` implements. */
export const OFFER_OPERATIONS: readonly Operation[] = [
  {
    id: 'listOffers',
    method: 'get',
    path: '/users/me/offers',
    tag: 'Account',
    summary: 'List what others offer to you',
    description:
      'Invitations to projects, and projects that you may have, at most 100. They wait for the verified address of your account; an account whose address nothing has proved sees none. Not for keys of one project.',
    answers: [json(200, 'The offers.', OfferList)],
  },
  {
    id: 'acceptOffer',
    method: 'post',
    path: '/users/me/offers/{id}/accept',
    tag: 'Account',
    summary: 'Accept an offer',
    description:
      'Needs the permission `manage`. By an invitation you become a member of the project. By a transfer the project becomes that of your account, if its limits have room for it, and its former owner stays as a member with the role `owner`.',
    params: offer,
    answers: [json(200, 'The offer is accepted.', AcceptedOffer)],
    errors: ['conflict', 'not_found'],
  },
  {
    id: 'declineOffer',
    method: 'post',
    path: '/users/me/offers/{id}/decline',
    tag: 'Account',
    summary: 'Decline an offer',
    description: 'Needs the permission `manage`.',
    params: offer,
    answers: [json(200, 'The offer is declined.', DeclinedOffer)],
    errors: ['not_found'],
  },
  {
    id: 'offerProject',
    method: 'post',
    path: '/projects/{id}/transfer',
    tag: 'Projects',
    summary: 'Offer a project to another account',
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
  },
  {
    id: 'withdrawOffer',
    method: 'delete',
    path: '/projects/{id}/transfer',
    tag: 'Projects',
    summary: 'Take the offer of a project back',
    description:
      'By the owner of the account that the project belongs to; the key needs the permission `manage`.',
    params: project,
    answers: [json(200, 'The project is offered to no one.', WithdrawnOffer)],
  },
]
