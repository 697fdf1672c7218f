import { z } from 'zod'
import { ruleOf } from '../domain/invalid-field.ts'
import { tagAddress } from '../domain/tag.ts'

/* Schemas of query parameters and of values that only the API has: references to projects, installed themes. */

/** The project of a request, in either form of its id. */
export const projectRef = z.string().meta({
  description: 'The id of a project, with or without `proj_`.',
  examples: ['proj_k3v9q2m7x4tz8wpa'],
})

/** One of the installed themes, which differ between installations. */
export function themeName(themes: readonly string[]) {
  return z.enum(themes, `must be one of ${themes.join(', ')}.`).meta({ 'x-open': true })
}

/** `true`, `false`, `1` or `0` in a query. */
export const flag = z
  .enum(['true', 'false', '1', '0'], 'must be true, false, 1 or 0.')
  .transform((value) => value === 'true' || value === '1')
  .meta({ type: 'boolean', enum: undefined, description: '`1` and `0` are accepted too.' })

/** The address of a tag, of which a query gives any spelling. */
export const tagQuery = z
  .string()
  .max(200)
  .transform(tagAddress)
  .refine((address) => address !== '', 'must have a letter or a digit.')
  .meta({ description: 'Only pages with this tag, in any spelling of it.', examples: ['node-js'] })

/** A whole number in a query. */
function count(min: number, max: number) {
  return z
    .string()
    .refine((digits) => /^\d{1,15}$/.test(digits) && Number(digits) >= min && Number(digits) <= max, {
      message:
        max === Number.MAX_SAFE_INTEGER
          ? `must be a whole number from ${min}.`
          : `must be a whole number from ${min} to ${max}.`,
      ...ruleOf('out_of_range'),
    })
    .transform(Number)
    .meta({ type: 'integer', minimum: min, maximum: max })
}

/** `limit`, at most 100 unless stated, and `offset` of a list. */
export function slice(defaultLimit: number, maxLimit = 100) {
  return {
    limit: count(1, maxLimit).default(defaultLimit).meta({
      description:
        'Largest number of items in the answer. A list of large items has fewer: it stops before 8 MiB, and `has_more` says so. Go on at `offset` plus the number of items that you got.',
    }),
    offset: count(0, Number.MAX_SAFE_INTEGER).default(0).meta({ description: 'Number of items to skip.' }),
  }
}

/** `cursor` of a list on the current surface, which `http/list-walk.ts` reads. */
export const cursor = {
  cursor: z.string().optional().meta({
    description:
      'The `next_cursor` of the answer before: continues there, with the same sort, order and filters, which may be left out. In place of `offset`; valid for 7 days.',
  }),
}

/** As `slice`, with `cursor`. */
export function walkedSlice(...bounds: Parameters<typeof slice>) {
  return { ...slice(...bounds), ...cursor }
}

/** `limit`, `offset`, `cursor` and `order` of a list on the current surface. */
export const paging = {
  ...walkedSlice(25),
  order: z.enum(['asc', 'desc']).default('desc'),
}
