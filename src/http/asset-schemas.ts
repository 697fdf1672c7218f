import { z } from 'zod'
import type { AssetFilter, AssetSort } from '../db/repositories/assets.ts'
import type { AssetTexts } from '../domain/asset.ts'
import type { JsonObject, JsonValue } from '../domain/json.ts'
import { NAME_RULE, readMediaName } from '../domain/media-name.ts'
import { ASSET_KINDS } from '../domain/media-type.ts'
import { normalForm } from '../domain/normal-form.ts'
import type { Paging } from '../domain/paging.ts'
import { converted, line, text } from '../fields/values.ts'
import type { AssetChange } from '../services/media/assets.ts'
import { sourceFile, withoutEchoedSource } from './bodies/source-schemas.ts'
import { parseBody } from './parse.ts'
import { cursor, flag, slice } from './query-fields.ts'

/** Digests that one request may ask for: they fit into a body, and into one answer. */
const MAX_DIGESTS = 10_000

const name = converted(readMediaName, `${NAME_RULE}.`).meta({
  description: 'Content shows the asset by it: `/media/{name}`. Unique in the project, and normalised (NFC).',
  examples: ['team/ada.jpg'],
})

const alt = text(1000).meta({
  description:
    'What a picture shows, for people who do not see it. Pages use it where their content has none.',
  examples: ['Ada at her desk'],
})
const title = line(0, 500).meta({ description: 'Pages use it where their content has none.', examples: [''] })

const coordinate = z.number().min(0).max(1)
const focus = z
  .strictObject({ x: coordinate, y: coordinate })
  .nullable()
  .meta({
    description:
      'The part of a picture that crops keep, from the left and from the top; null for the middle.',
    examples: [{ x: 0.5, y: 0.3 }],
  })

export const UploadQuery = z.object({
  name: name.optional().meta({
    description: 'The name of the asset. Required unless a form gives the file a name.',
    examples: ['team/ada.jpg'],
  }),
})

/** The fields of a form next to its file. */
export const UploadTexts = z.strictObject({
  alt: alt.optional(),
  title: title.optional(),
  focus: focus.optional(),
})

export const UpdateAsset = z.strictObject({
  name: name.optional(),
  alt: alt.optional(),
  title: title.optional(),
  focus: focus.optional(),
})

/** The update on the current surface: pushes write the file that an asset comes from. */
export const UpdatePushedAsset = UpdateAsset.extend({ source: sourceFile })

/** Read-only fields, which a body may contain without an effect. */
export const ASSET_READ_ONLY = [
  'id',
  'project_id',
  'kind',
  'content_type',
  'bytes',
  'digest',
  'width',
  'height',
  'animated',
  'thumbhash',
  'url',
  'variants',
  'status',
  'failure',
  'used_by',
  'created_at',
  'updated_at',
]

const SORTS = ['created_at', 'updated_at', 'name', 'bytes'] as const satisfies readonly AssetSort[]

export const ListAssets = z.object({
  kind: z.enum(ASSET_KINDS, `must be one of ${ASSET_KINDS.join(', ')}.`).optional(),
  q: z
    .string()
    .min(1, 'must not be empty.')
    .max(200, 'must have at most 200 characters.')
    .optional()
    .meta({
      description: 'A part of the name, or a pattern for all of it, in which `*` matches any characters.',
      examples: ['team/*.jpg'],
    }),
  unused: flag.optional().meta({ description: 'True: only assets that no page and no setting names.' }),
  sort: z.enum(SORTS, `must be one of ${SORTS.join(', ')}.`).default('created_at'),
  ...slice(25),
  order: z.enum(['asc', 'desc']).default('desc'),
})

/** On the current surface. */
export const WalkAssets = ListAssets.extend(cursor)

export const DeleteAsset = z.object({
  force: flag.default(false).meta({ description: 'True: also when live pages show it.' }),
})

export const MissingDigests = z.strictObject({
  digests: z
    .array(
      z
        .string()
        .regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in 64 lowercase hex digits.')
        .meta({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] }),
    )
    .max(MAX_DIGESTS, `must have at most ${MAX_DIGESTS} entries.`),
})

export function readListAssets(query: z.output<typeof ListAssets>): {
  readonly filter: Pick<AssetFilter, 'kind' | 'name'> & { readonly unused: boolean }
  readonly paging: Paging<AssetSort>
} {
  const { kind = null, q = null, unused = false, sort, order, limit, offset } = query
  return {
    filter: { kind, name: q == null ? null : normalForm(q), unused },
    paging: { sort, order, limit, offset },
  }
}

/** @throws {ServiceError} that names every invalid field. */
export function readUploadTexts(fields: ReadonlyMap<string, string>): AssetTexts {
  const given = [...fields].map(([name, value]) => [name, name === 'focus' ? readJsonField(value) : value])
  const { alt = '', title = '', focus = null } = parseBody(UploadTexts, Object.fromEntries(given))
  return { alt, title, focus }
}

/** @throws {ServiceError} that names every invalid field. */
export function readUpdateAsset(body: JsonObject): AssetChange {
  return parseBody(UpdateAsset, body, { readOnly: ASSET_READ_ONLY })
}

/** @throws {ServiceError} that names every invalid field. */
export function readUpdatePushedAsset(body: JsonObject): AssetChange {
  return parseBody(UpdatePushedAsset, withoutEchoedSource(body), { readOnly: ASSET_READ_ONLY })
}

/** @throws {ServiceError} that names every invalid field. */
export function readDigests(body: JsonObject): readonly string[] {
  return parseBody(MissingDigests, body).digests
}

/** A text that is no JSON fails the validation of the field. */
function readJsonField(value: string): JsonValue {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
