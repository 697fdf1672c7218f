import { z } from 'zod'
import { ROLES } from '../../domain/roles.ts'
import { moment, prefixedId } from '../answer-fields.ts'
import { enveloped } from './envelopes.ts'

const offer = z
  .strictObject({
    id: prefixedId('off'),
    kind: z.enum(['membership', 'transfer']).meta({
      description: '`membership`: to work on the project. `transfer`: to have it in the own account.',
    }),
    project: z.strictObject({
      id: prefixedId('proj'),
      name: z.string().meta({ examples: ['Acme'] }),
    }),
    role: z.enum(ROLES).meta({ description: 'In the project, once it is accepted.', examples: ['editor'] }),
    from: z
      .string()
      .nullable()
      .meta({ description: 'Address of the person who offers it.', examples: ['ada@example.com'] }),
    expires_at: moment,
  })
  .meta({ id: 'Offer' })

export const OfferList = z.strictObject({ data: z.array(offer) })

export const AcceptedOffer = enveloped(z.strictObject({ id: prefixedId('off'), accepted: z.literal(true) }))

export const DeclinedOffer = enveloped(z.strictObject({ id: prefixedId('off'), declined: z.literal(true) }))

export const OfferedProject = enveloped(
  z
    .strictObject({
      to: z.string().meta({ description: 'In lower case.', examples: ['ada@example.com'] }),
      expires_at: moment,
    })
    .meta({ id: 'OfferedProject' }),
)

export const WithdrawnOffer = enveloped(
  z.strictObject({ id: prefixedId('proj'), withdrawn: z.literal(true) }),
)
