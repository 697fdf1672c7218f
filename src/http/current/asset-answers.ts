import { z } from 'zod'
import { prefixedId } from '../answer-fields.ts'
import { assetAnswers } from '../asset-answers.ts'
import { enveloped, listMeta } from './envelopes.ts'
import { source } from './push-answers.ts'

/** Schemas of answers about assets on the current surface. */
export const ASSET_ANSWERS = assetAnswers({
  name: 'Asset',
  ids: { asset: prefixedId('ast'), project: prefixedId('proj'), page: prefixedId('page') },
  more: { source },
  enveloped,
  listOf: (item) => z.strictObject({ data: z.array(item), meta: z.strictObject(listMeta) }),
})
