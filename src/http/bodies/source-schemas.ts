import { z } from 'zod'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { isFolderIdentity } from '../../domain/source.ts'
import type { WrittenSource } from '../../services/pushes/record-source.ts'
import { parseBody } from '../parse.ts'

/** The longest path of a file in a content folder. */
const MAX_PATH = 1_000

export const folderIdentity = z
  .string()
  .refine(isFolderIdentity, 'must be the `id` of a content folder, or `name:` and its name.')
  .meta({
    description:
      'The identity of a content folder: the `id` in its `site.yaml` (6 to 64 of `a-z0-9-`), or `name:` and its name.',
    examples: ['k3v9q2m7x4tz8wpa'],
  })

export const filePath = z
  .string()
  .min(1, 'must not be empty.')
  .max(MAX_PATH, `must have at most ${MAX_PATH} characters.`)
  .refine((text) => !/\p{Cc}/u.test(text), 'must be one line.')
  .meta({ description: 'The file, relative to the folder.', examples: ['docs/install.md'] })

/** The file that a write comes from. */
export const sourceFile = z
  .strictObject({
    folder: folderIdentity,
    path: filePath,
    created: z
      .boolean()
      .optional()
      .meta({
        description:
          'Whether a push of the folder created the record, where that is not known from its creation.',
        examples: [true],
      }),
  })
  .nullable()
  .optional()
  .meta({
    description:
      'The file of a content folder that the record is pushed from. `quoin push` sends it; a body with it alone records the stored values as pushed. Ignored as a GET answers it.',
  })

/** The body without the source of an answer that a client sends back: only a push writes it. */
export function withoutEchoedSource(body: JsonObject): JsonObject {
  const { source, ...others } = body
  const isEcho = source === null || (isJsonObject(source) && source['digest'] !== undefined)
  return isEcho ? others : body
}

/**
 * Reads the file of a valid body about a page, and the fields that it writes. A body of it alone records the stored
 * page as pushed.
 */
export function pageSource(
  source: z.output<typeof sourceFile>,
  body: JsonObject,
  readOnly: readonly string[],
): WrittenSource | null {
  if (source == null) return null
  const { created, ...file } = source
  const fields = writtenFields(body, readOnly)
  return { file, created, fields: fields.length === 0 ? null : fields }
}

/**
 * The same for settings. A folder that states some says nothing about others, so a body of it alone records nothing.
 */
export function settingsSource(body: JsonObject, readOnly: readonly string[]): WrittenSource | null {
  const { source } = parseBody(z.strictObject({ source: sourceFile }), {
    source: withoutEchoedSource(body)['source'] ?? null,
  })
  if (source == null) return null
  const { folder, path } = source
  return { file: { folder, path }, fields: writtenFields(body, readOnly) }
}

function writtenFields(body: JsonObject, readOnly: readonly string[]): readonly string[] {
  return Object.keys(body).filter((name) => name !== 'source' && !readOnly.includes(name))
}
