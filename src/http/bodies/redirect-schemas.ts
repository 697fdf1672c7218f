import { z } from 'zod'
import { fieldFailure } from '../../domain/field-errors.ts'
import type { JsonObject } from '../../domain/json.ts'
import { MAX_REDIRECT_PATHS } from '../../domain/redirect-path.ts'
import { REDIRECT_KINDS } from '../../services/pages/redirects.ts'
import type { WrittenRedirect } from '../../services/publishing/project-redirects.ts'
import { parseBody } from '../parse.ts'
import { flag, walkedSlice } from '../query-fields.ts'

const from = z
  .string()
  .max(2_000, 'must have at most 2000 characters.')
  .meta({
    description:
      'A path of the site that no page has, such as `/old/page`, `/old/page.html` or `/index.xml`.',
    examples: ['/old/page'],
  })

const to = z
  .string()
  .max(2_048, 'must have at most 2048 characters.')
  .meta({
    description:
      'The id of a page, the path of a page, list, feed or file of the site, also with `#heading`, or an `https:` URL. Patterns are not possible.',
    examples: ['/docs/page'],
  })

export const CreateRedirect = z.strictObject({
  from,
  to: to.optional(),
  page_id: z
    .string()
    .max(100)
    .optional()
    .meta({
      description: `In place of \`to\`: the page whose \`redirect_from\` gets the path. A page has at most ${MAX_REDIRECT_PATHS} of them.`,
      examples: ['page_k3v9q2m7x4tz8wpa'],
    }),
})

export const UpdateRedirect = z.strictObject({ from: from.optional(), to: to.optional() })

/** Redirects of one request. */
const MAX_PUT_REDIRECTS = 500

export const PutRedirects = z.strictObject({
  items: z.array(z.strictObject({ from, to })).min(1).max(MAX_PUT_REDIRECTS),
})

export const DeleteRedirect = z.object({ from })

export const ListRedirects = z.object({
  kind: z.enum(REDIRECT_KINDS, `must be one of ${REDIRECT_KINDS.join(', ')}.`).optional(),
  dead: flag
    .optional()
    .meta({ description: 'Whether to list those whose target the site does not have, or only the others.' }),
  q: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'A text that the path or the target contains.', examples: ['/old/'] }),
  ...walkedSlice(25),
})

/** Read-only fields, which a body may contain without an effect. */
export const REDIRECT_READ_ONLY = ['id', 'kind', 'target', 'fragment', 'live', 'dead', 'created_at']

/** A redirect of a page, or of the project. */
export type NewRedirect = { readonly from: string; readonly page: string } | WrittenRedirect

/** @throws {ServiceError} that names every invalid field. */
export function readCreateRedirect(body: JsonObject): NewRedirect {
  const { from, to, page_id: page } = parseBody(CreateRedirect, body, { readOnly: REDIRECT_READ_ONLY })
  if (to !== undefined && page !== undefined)
    throw fieldFailure('validation_error', [{ path: 'to', message: 'must be absent next to page_id.' }])
  if (page !== undefined) return { from, page }
  if (to === undefined)
    throw fieldFailure('missing_required_field', [{ path: 'to', message: 'is required, or page_id.' }])
  return { from, to }
}

/** @throws {ServiceError} that names every invalid field. */
export function readUpdateRedirect(body: JsonObject): Partial<WrittenRedirect> {
  const { from, to } = parseBody(UpdateRedirect, body, { readOnly: [...REDIRECT_READ_ONLY, 'page_id'] })
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
}

/** @throws {ServiceError} that names every invalid field. */
export function readPutRedirects(body: JsonObject): readonly WrittenRedirect[] {
  return parseBody(PutRedirects, body).items
}
