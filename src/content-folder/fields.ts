import { z } from 'zod'
import type { JsonValue } from '../domain/json.ts'
import { readDate } from '../domain/page.ts'
import { readSlug, readSubroute } from '../domain/route.ts'

/** Schemas of fields that several kinds of file have. Messages finish a sentence that begins with the field. */

/** At least one visible character, at most `max`. */
export function line(max: number) {
  return z
    .string('must be text.')
    .trim()
    .min(1, 'must not be empty.')
    .max(max, `must have at most ${max} characters.`)
}

export function text(max: number) {
  return z.string('must be text.').max(max, `must have at most ${max} characters.`)
}

/** `https`, `http`, or a path from the root of the site. */
export const url = z
  .string('must be text.')
  .refine(isUrl, { error: 'must be an http or https URL, or start with "/".', abort: true })

/** A URL whose path ends in one of these extensions. */
export function fileUrl(...extensions: readonly string[]) {
  const ending = new RegExp(`\\.(${extensions.join('|')})([?#].*)?$`, 'i')
  return url.refine(
    (value) => ending.test(value),
    `must be the URL of a file of the kind ${extensions.join(', ')}.`,
  )
}

/** What a link of the header or the footer may lead to. */
export const href = z
  .string('must be text.')
  .refine(
    (value) => isUrl(value) || /^#\S*$/.test(value) || /^(mailto|tel):\S+$/i.test(value),
    'must be an http, https, mailto or tel URL, or start with "/" or "#".',
  )

export const slug = stored(readSlug, 'must be 1 to 100 letters, digits and hyphens.')

export const SUBROUTE_RULE = 'up to 8 segments of letters, digits and hyphens, joined by "/".'

export const subroute = stored(readSubroute, `must be ${SUBROUTE_RULE}`)

export const date = stored(readDate, 'must be an ISO 8601 date or timestamp.')

export const json = z.custom<JsonValue>((value) => value !== undefined)

/** A text that is kept in the form `read` gives it; null means that it is none. YAML reads some names as numbers. */
export function stored(read: Reading, message: string) {
  return z.union([z.string(), z.number()], 'must be text.').transform(keptAs(read, message))
}

/** The same where no number is one. */
export function storedText(read: Reading, message: string) {
  return z.string('must be text.').transform(keptAs(read, message))
}

type Reading = (text: string) => string | null

function keptAs(read: Reading, message: string) {
  return (written: string | number, context: z.core.$RefinementCtx): string => {
    const value = read(String(written))
    if (value !== null) return value
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  }
}

function isUrl(value: string): boolean {
  if (/[\s\\\p{Cc}]/u.test(value)) return false
  return /^\/(?!\/)/.test(value) || (/^https?:\/\/[^/]/i.test(value) && URL.canParse(value))
}
