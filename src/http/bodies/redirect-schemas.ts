import { z } from 'zod'
import type { JsonObject } from '../../domain/json.ts'
import { MAX_REDIRECT_PATHS } from '../../domain/redirect-path.ts'
import { parseBody } from '../parse.ts'

const from = z
  .string()
  .max(2_000, 'must have at most 2000 characters.')
  .meta({
    description: `A path of the site that no page has, such as \`/old/page\` or \`/old/page.html\`. A page has at most ${MAX_REDIRECT_PATHS} of them.`,
    examples: ['/old/page'],
  })

export const CreateRedirect = z.strictObject({
  from,
  page_id: z
    .string()
    .max(100)
    .meta({
      description: 'The page that it leads to.',
      examples: ['page_k3v9q2m7x4tz8wpa'],
    }),
})

export const DeleteRedirect = z.object({ from })

/** Read-only fields, which a body may contain without an effect. */
export const REDIRECT_READ_ONLY = ['to', 'stated', 'live']

/** @throws {ServiceError} that names every invalid field. */
export function readCreateRedirect(body: JsonObject): { readonly from: string; readonly page: string } {
  const read = parseBody(CreateRedirect, body, { readOnly: REDIRECT_READ_ONLY })
  return { from: read.from, page: read.page_id }
}
