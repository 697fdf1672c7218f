import { z } from 'zod'
import { PERMISSIONS, PLANS } from '../../domain/caller.ts'
import { moment, prefixedId } from '../answer-fields.ts'
import { enveloped, listMeta } from './envelopes.ts'

const fields = {
  id: prefixedId('key'),
  name: z.string().meta({ examples: ['CI'] }),
  project_scope: prefixedId('proj')
    .nullable()
    .meta({ description: 'The only project that the key may be used for; null for all projects.' }),
  permissions: z.array(z.enum(PERMISSIONS)).meta({ examples: [['read', 'write']] }),
  plan: z.enum(PLANS).meta({ description: 'The rate limits of the key.' }),
  expires_at: moment.nullable().meta({ description: 'Null when the key does not expire.' }),
  revoked_at: moment.nullable().meta({ description: 'Null unless the key was revoked.', examples: [null] }),
  former_until: moment.nullable().meta({
    description: 'Until when the secret before the last rotation is accepted; null without a rotation.',
    examples: [null],
  }),
  created_at: moment,
}

const item = z.strictObject(fields).meta({ id: 'Key' })

export const Key = enveloped(item)

export const KeyList = z.strictObject({ data: z.array(item), meta: z.strictObject(listMeta) })

export const KeyWithSecret = enveloped(
  z
    .strictObject({
      ...fields,
      key: z.string().meta({ description: '`qn_live_` and 38 characters. Shown in this answer only.' }),
    })
    .meta({ id: 'KeyWithSecret' }),
)

export const DeletedKey = enveloped(z.strictObject({ id: prefixedId('key'), deleted: z.literal(true) }))
