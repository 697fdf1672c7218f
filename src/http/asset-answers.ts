import { z } from 'zod'
import { ASSET_STATUSES } from '../domain/asset.ts'
import { ASSET_KINDS } from '../domain/media-type.ts'
import { moment } from './answer-fields.ts'

const pixels = z.int().min(1)

/** Fields of an asset in answers, without its ids, which the surfaces of the API write in different forms. */
const assetFields = {
  name: z.string().meta({ examples: ['team/ada.jpg'] }),
  kind: z.enum(ASSET_KINDS).meta({ description: 'What the bytes are, whatever the name says.' }),
  content_type: z.string().meta({
    description:
      '`application/octet-stream` for HTML, scripts, XML and unknown types, which are served as downloads.',
    examples: ['image/jpeg'],
  }),
  bytes: z
    .int()
    .min(0)
    .meta({ description: 'Of the file as it was uploaded.', examples: [184_320] }),
  digest: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({
      description: 'SHA-256 of the file as it was uploaded.',
      examples: ['fdee430d40bd57deeac186cd9790033d0f06f909a8806e7ce6e717ab7c7d5029'],
    }),
  width: pixels
    .nullable()
    .meta({ description: 'In pixels, as the picture or video is shown; null where it is unknown.' }),
  height: pixels.nullable(),
  animated: z.boolean(),
  thumbhash: z
    .string()
    .nullable()
    .meta({ description: 'A blurred preview in about 25 bytes, base64 (ThumbHash).', examples: [null] }),
  alt: z.string(),
  title: z.string(),
  focus: z
    .strictObject({ x: z.number(), y: z.number() })
    .nullable()
    .meta({ description: 'The part that crops keep; null for the middle.', examples: [{ x: 0.5, y: 0.3 }] }),
  url: z.string().meta({
    description:
      'How content names the asset. The service has no such address: only published files are public.',
    examples: ['/media/team/ada.jpg'],
  }),
  variants: z
    .array(
      z.strictObject({
        width: pixels,
        height: pixels,
        format: z.enum(['webp', 'avif']),
        url: z.string().meta({
          description: 'On the site, once a page that shows the picture is live.',
        }),
        bytes: z.int().min(0),
      }),
    )
    .meta({
      description: 'Smaller pictures that were derived from it so far, by format, then width.',
      examples: [[]],
    }),
  status: z.enum(ASSET_STATUSES).meta({ description: '`processing` while variants are being made.' }),
  failure: z
    .string()
    .nullable()
    .meta({ description: 'Why the status is `failed`.', examples: [null] }),
  used_by: z
    .int()
    .min(0)
    .meta({ description: 'Number of pages, live or as they are now, and of settings that name it.' }),
  created_at: moment,
  updated_at: moment,
}

export type AssetAnswers = ReturnType<typeof assetAnswers>

/**
 * Schemas of the answers about assets on one surface of the API.
 *
 * @param form.name of the asset in the description.
 */
export function assetAnswers({
  name,
  ids,
  more = {},
  enveloped,
  listOf,
}: {
  readonly name: string
  readonly ids: { readonly asset: z.ZodType; readonly project: z.ZodType; readonly page: z.ZodType }
  /** Fields that this surface alone has. */
  readonly more?: Readonly<Record<string, z.ZodType>>
  readonly enveloped: (data: z.ZodType) => z.ZodType
  readonly listOf: (item: z.ZodType) => z.ZodType
}) {
  const item = z
    .strictObject({ id: ids.asset, project_id: ids.project, ...assetFields, ...more })
    .meta({ id: name })
  const page = z.strictObject({
    id: ids.page,
    title: z.string(),
    subroute: z.string(),
    slug: z.string(),
    draft: z.boolean().meta({ description: 'Whether the page as it is now names it.' }),
    live: z.boolean().meta({ description: 'Whether the page as it is live names it.' }),
  })
  const usage = z
    .strictObject({
      pages: z.array(page).meta({ description: 'The first 100: those that are live, then by address.' }),
      total_pages: z.int().min(0),
      settings: z.array(z.string()).meta({
        description: 'Settings that name it, now or as they are live.',
        examples: [['logo_url']],
      }),
    })
    .meta({ id: `${name}Usage` })
  return {
    asset: enveloped(item),
    list: listOf(item),
    usage: enveloped(usage),
    deleted: enveloped(z.strictObject({ id: ids.asset, deleted: z.literal(true) })),
    missing: enveloped(z.strictObject({ missing: z.array(z.string()) })),
  }
}
