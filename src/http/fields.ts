import { z } from 'zod'
import { readDate } from '../domain/page.ts'
import { readSlug, readSubroute } from '../domain/route.ts'

/**
 * Field schemas that both surfaces share. Lengths are in characters as people count them: code points.
 *
 * What a refinement checks is said once more in `meta`, in the words of JSON Schema, for the API's own
 * description of itself.
 */

/** One line of text: no control characters. */
export function line(min: number, max: number) {
  return z
    .string()
    .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters.')
    .refine(...between(min, max))
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max })
}

/** Any text. */
export function text(max: number) {
  return z
    .string()
    .refine(...between(0, max))
    .meta({ maxLength: max })
}

/** What is wrong with a text of another length is not said twice. */
function between(
  min: number,
  max: number,
): [(text: string) => boolean, { readonly error: string; readonly abort: true }] {
  const fits = (text: string) => {
    const length = text.length > max ? [...text].length : text.length
    return length >= min && length <= max
  }
  const range = min === 0 ? `at most ${max}` : `${min} to ${max}`
  return [fits, { error: `must have ${range} characters.`, abort: true }]
}

/** A display name: something visible, on one line. */
export function name(max: number) {
  return line(1, max).refine((text) => text.trim() !== '', 'must not be blank.')
}

/** The display name of a page. */
export const title = name(200).meta({ examples: ['Opening hours'] })

export const projectName = name(100).meta({ examples: ['My site'] })

/** The project a request is about, in either form of its id. */
export const projectRef = z.string().meta({
  description: 'The id of a project, with or without `proj_`.',
  examples: ['proj_k3v9q2m7x4tz8wpa'],
})

/** One of the installed themes; another installation may have others. */
export function themeName(themes: readonly string[]) {
  return z.enum(themes, `must be one of ${themes.join(', ')}.`).meta({ 'x-open': true })
}

/** A text that another function reads into its stored form; null means it is none. */
function read<T>(reader: (text: string) => T | null, message: string) {
  return z.string().transform((text, context) => {
    const value = reader(text)
    if (value !== null) return value
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
}

export const slug = read(
  readSlug,
  'must be 1 to 100 letters, digits and hyphens, with at least one letter or digit.',
).meta({
  description: 'Stored in lower case; unique within project and subroute.',
  pattern: '^(?=.*[A-Za-z0-9])[A-Za-z0-9-]{1,100}$',
  examples: ['opening-hours'],
})

export const subroute = read(
  readSubroute,
  'must be up to 8 segments of letters, digits and hyphens, joined by "/", or empty.',
).meta({
  description: 'Up to 8 segments joined by `/`, or empty. Stored in lower case, without slashes around it.',
  pattern: '^/*([A-Za-z0-9-]{1,100}(/[A-Za-z0-9-]{1,100}){0,7})?/*$',
  examples: ['blog'],
})

/** ISO 8601; a bare date is midnight UTC. */
export const timestamp = read(readDate, 'must be an ISO 8601 date or timestamp.').meta({
  description: 'ISO 8601; a bare date is midnight UTC.',
  examples: ['2026-11-01T09:30:00Z'],
})

/** `https`, `http` or root-relative. */
export const url = z
  .string()
  .max(2048)
  .refine(isUrl, 'must be an http or https URL, or start with "/".')
  .meta({
    description: 'An http or https URL, or one that starts with `/`.',
    examples: ['https://example.com/cover.png'],
  })

/** A URL whose path ends in one of these extensions. */
export function fileUrl(...extensions: readonly string[]) {
  const ends = new RegExp(`\\.(${extensions.join('|')})$`, 'i')
  return url
    .refine(
      (text) => ends.test(pathname(text)),
      `must be the URL of a ${extensions.map((extension) => `.${extension}`).join(', ')} file.`,
    )
    .meta({
      description: `The URL of a ${extensions.map((extension) => `.${extension}`).join(', ')} file.`,
      examples: [`/brand.${extensions[0]}`],
    })
}

/** What a link of the site's own chrome may lead to. */
export const href = z
  .string()
  .max(2048)
  .refine(
    (text) => isUrl(text) || /^#[^\s]*$/.test(text) || /^(mailto|tel):[^\s]+$/i.test(text),
    'must be an http, https, mailto or tel URL, or start with "/" or "#".',
  )
  .meta({
    description: 'An http, https, mailto or tel URL, or one that starts with `/` or `#`.',
    examples: ['/about'],
  })

function isUrl(text: string): boolean {
  if (/[\s\p{Cc}\\]/u.test(text)) return false
  if (/^\/(?!\/)/.test(text)) return true
  return /^https?:\/\/[^/]/i.test(text) && URL.canParse(text)
}

function pathname(text: string): string {
  return URL.canParse(text, 'https://site.example') ? new URL(text, 'https://site.example').pathname : ''
}

/** `true`, `false`, `1` or `0` in a query. */
export const flag = z
  .enum(['true', 'false', '1', '0'], 'must be true, false, 1 or 0.')
  .transform((value) => value === 'true' || value === '1')
  .meta({ type: 'boolean', enum: undefined, description: '`1` and `0` are understood too.' })

/** A whole number in a query. */
function count(min: number, max: number) {
  return z
    .string()
    .refine((digits) => /^\d{1,15}$/.test(digits) && Number(digits) >= min && Number(digits) <= max, {
      message:
        max === Number.MAX_SAFE_INTEGER
          ? `must be a whole number from ${min}.`
          : `must be a whole number from ${min} to ${max}.`,
    })
    .transform(Number)
    .meta({ type: 'integer', minimum: min, maximum: max })
}

/** `limit` and `offset` of a list. */
export function slice(defaultLimit: number) {
  return {
    limit: count(1, 100).default(defaultLimit).meta({ description: 'How many items to answer with.' }),
    offset: count(0, Number.MAX_SAFE_INTEGER).default(0).meta({ description: 'How many items to skip.' }),
  }
}

/** `limit`, `offset` and `order` of a list on the current surface. */
export const paging = {
  ...slice(25),
  order: z.enum(['asc', 'desc']).default('desc'),
}
