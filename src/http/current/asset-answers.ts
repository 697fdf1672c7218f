import { z } from 'zod'
import { prefixedId } from '../answer-fields.ts'
import { assetFields, assetUsageFields, usedSettings } from '../asset-answer-fields.ts'
import { enveloped, listMeta } from './envelopes.ts'

const item = z
  .strictObject({ id: prefixedId('ast'), project_id: prefixedId('proj'), ...assetFields })
  .meta({ id: 'Asset' })

export const Asset = enveloped(item)

export const AssetList = z.strictObject({ data: z.array(item), meta: z.strictObject(listMeta) })

export const DeletedAsset = enveloped(z.strictObject({ id: prefixedId('ast'), deleted: z.literal(true) }))

export const AssetUsage = enveloped(
  z
    .strictObject({
      pages: z
        .array(
          z.strictObject({
            id: prefixedId('page'),
            title: z.string(),
            subroute: z.string(),
            slug: z.string(),
            ...assetUsageFields,
          }),
        )
        .meta({ description: 'The first 100: those that are live, then by address.' }),
      total_pages: z.int().min(0),
      settings: usedSettings,
    })
    .meta({ id: 'AssetUsage' }),
)

export const MissingAssets = enveloped(z.strictObject({ missing: z.array(z.string()) }))
