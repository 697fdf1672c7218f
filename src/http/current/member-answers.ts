import { z } from 'zod'
import { ROLES } from '../../domain/roles.ts'
import { moment, prefixedId } from '../answer-fields.ts'
import { enveloped } from './envelopes.ts'

const item = z
  .strictObject({
    id: prefixedId('mem'),
    email: z.string().meta({ description: 'In lower case.', examples: ['ada@example.com'] }),
    role: z.enum(ROLES).meta({ examples: ['editor'] }),
    created_at: moment,
    updated_at: moment,
  })
  .meta({ id: 'Member' })

export const MemberAnswer = enveloped(item)

export const MemberList = z.strictObject({ data: z.array(item) })

export const DeletedMember = enveloped(z.strictObject({ id: prefixedId('mem'), deleted: z.literal(true) }))
