import { z } from 'zod'
import { isLinkAddress, isWebAddress, LINK_ADDRESS_RULE, WEB_ADDRESS_RULE } from '../domain/author-url.ts'
import { readDate, readLocalDate } from '../domain/date.ts'
import { ruleOf } from '../domain/invalid-field.ts'
import { isJsonObject, type JsonValue } from '../domain/json.ts'
import { MAX_TITLE_LENGTH } from '../domain/page-limits.ts'
import { parseUrl } from '../domain/parse-url.ts'
import { readSubroute } from '../domain/route.ts'
import { readSlug } from '../domain/slug.ts'

/*
 * Schemas of single values, shared by both surfaces of the API and by content folders.
 *
 * Lengths count code points, as users count characters. Messages finish a sentence that begins with the field. Each
 * refinement is repeated in `meta` in the words of JSON Schema, for the OpenAPI document and for editors.
 */

/** One line of text: no control characters. */
export function line(min: number, max: number) {
  return z
    .string()
    .refine((text) => !/\p{Cc}/u.test(text), {
      error: 'must not contain control characters.',
      ...ruleOf('wrong_format'),
    })
    .refine(...between(min, max))
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max })
}

/** Text of any number of lines. */
export function text(max: number) {
  return z
    .string()
    .refine(...between(0, max))
    .meta({ maxLength: max })
}

/** Text whose size in UTF-8 is limited. */
export function textOfBytes(max: number) {
  // The first number that is formatted loads the data of locales, which every start would wait for.
  const error = () => `must be at most ${max.toLocaleString('en')} bytes.`
  return z
    .string()
    .refine((given) => Buffer.byteLength(given) <= max, { error, ...ruleOf('wrong_length') })
    .meta({ maxLength: max })
}

/** Aborts, so that a text of the wrong length gets one message only. */
function between(
  min: number,
  max: number,
): [(text: string) => boolean, { readonly error: string; readonly abort: true; readonly params: object }] {
  const fits = (text: string) => {
    const length = text.length > max ? [...text].length : text.length
    return length >= min && length <= max
  }
  const range = min === 0 ? `at most ${max}` : `${min} to ${max}`
  return [fits, { error: `must have ${range} characters.`, abort: true, ...ruleOf('wrong_length') }]
}

/** A display name: one line with at least one visible character. */
export function name(max: number) {
  return line(1, max).refine((text) => text.trim() !== '', {
    error: 'must not be blank.',
    ...ruleOf('wrong_length'),
  })
}

/** The display name of a page. */
export const title = name(MAX_TITLE_LENGTH).meta({ examples: ['Opening hours'] })

export const projectName = name(100).meta({ examples: ['My site'] })

/** Text that `read` converts to its stored form; null means that the text is not valid. */
export function converted<T>(
  read: (text: string) => T | null,
  message: string | ((text: string) => string),
  given = z.string(),
) {
  return given.transform((text, context) => {
    const value = read(text)
    if (value !== null) return value
    const sentence = typeof message === 'string' ? message : message(text)
    context.addIssue({ code: 'custom', message: sentence, ...ruleOf('wrong_format') })
    return z.NEVER
  })
}

/** Wider than the rule, because not all validators know the scripts of Unicode. */
export const WIDE_SEGMENT = '^[^\\s/\\\\?#%_.][^\\s/\\\\?#%]{0,99}$'

/** The way out for who writes a standard slug or subroute that wide addresses allow. */
export const WIDE_HINT = 'Set hosting.slugs of the project to wide for letters of other scripts, "_" and ".".'

export const slug = converted(
  (text) => readSlug(text, 'standard'),
  (text) =>
    withHint(
      'must be 1 to 100 letters, digits and hyphens, with at least one letter or digit.',
      readSlug(text, 'wide'),
    ),
).meta({
  description: 'Stored in lower case; unique within project and subroute.',
  pattern: '^(?=.*[A-Za-z0-9])[A-Za-z0-9-]{1,100}$',
  examples: ['opening-hours'],
})

/** A slug of a project with wide addresses. The pattern is wider than the rule, because validators know no scripts. */
export const wideSlug = converted(
  (text) => readSlug(text, 'wide'),
  'must be 1 to 100 letters and digits of any script, "-", "_" and ".", with at least one letter or digit, without a "_" at its start or a "." at either end, and not the name of a file that Quoin writes.',
).meta({
  description: 'Stored in lower case; unique within project and subroute.',
  pattern: WIDE_SEGMENT,
  examples: ['opening-hours'],
})

export const SUBROUTE_RULE = 'up to 8 segments of letters, digits and hyphens, joined by "/"'

export const WIDE_SUBROUTE_RULE =
  'up to 8 segments joined by "/": letters and digits of any script, "-", "_" and ".", without a "_" at the start of a segment, a "." at either end of one, or ".json" at its end'

function withHint(rule: string, wide: string | null): string {
  return wide === null ? rule : `${rule} ${WIDE_HINT}`
}

export const subroute = converted(
  (text) => readSubroute(text, 'standard'),
  (text) => withHint(`must be ${SUBROUTE_RULE}, or empty.`, readSubroute(text, 'wide')),
).meta({
  description: 'Up to 8 segments joined by `/`, or empty. Stored in lower case, without slashes around it.',
  pattern: '^/*([A-Za-z0-9-]{1,100}(/[A-Za-z0-9-]{1,100}){0,7})?/*$',
  examples: ['blog'],
})

/** A subroute of a project with wide addresses. */
export const wideSubroute = converted(
  (text) => readSubroute(text, 'wide'),
  `must be ${WIDE_SUBROUTE_RULE}, or empty.`,
).meta({
  description: 'Up to 8 segments joined by `/`, or empty. Stored in lower case, without slashes around it.',
  pattern: '^[^\\s\\\\?#%]*$',
  examples: ['blog'],
})

/** ISO 8601. A bare date is midnight UTC, and a time without a zone is in UTC. */
export const timestamp = converted(
  readDate,
  'must be an ISO 8601 date or timestamp, such as 2026-03-10.',
).meta({
  description: 'ISO 8601; a bare date is midnight UTC, and a time without a zone is in UTC.',
  examples: ['2026-11-01T09:30:00Z'],
})

/** A `timestamp` with the offset that its author wrote: the day that readers see is the author's. */
export const localTimestamp = converted(
  readLocalDate,
  'must be an ISO 8601 date or timestamp, such as 2026-03-10.',
).meta({
  description:
    'ISO 8601, kept with its offset; a bare date is midnight UTC, and a time without a zone is in UTC.',
  examples: ['2026-11-01T09:30:00+01:00'],
})

/** A `timestamp` at which something happens: users who leave out the zone mean their own. */
export const zonedTimestamp = converted(
  readDate,
  'must be an ISO 8601 date or timestamp, such as 2026-03-10.',
  z.string().refine((text) => isZoned(text) || readDate(text) === null, {
    error: 'must have a time zone: end it with Z or an offset such as +02:00.',
    abort: true,
    ...ruleOf('wrong_format'),
  }),
).meta({
  description: 'ISO 8601 with a zone; a bare date is midnight UTC.',
  examples: ['2026-11-01T09:30:00Z'],
})

function isZoned(text: string): boolean {
  return !text.includes(':') || /(Z|UTC|GMT|[+-]\d{2}(:?\d{2})?)$/i.test(text)
}

/** `https`, `http` or root-relative. */
export const url = z
  .string()
  .max(2048)
  .refine(isWebAddress, {
    error: WEB_ADDRESS_RULE,
    abort: true,
    ...ruleOf('wrong_format'),
  })
  .meta({
    description: 'An http or https URL, or one that starts with `/`.',
    examples: ['https://example.com/cover.png'],
  })

/** A URL whose path ends in one of these extensions. */
export function fileUrl(...extensions: readonly string[]) {
  const kinds = extensions.map((extension) => `.${extension}`).join(', ')
  const ends = new RegExp(`\\.(${extensions.join('|')})$`, 'i')
  return url
    .refine((text) => ends.test(pathname(text)), {
      error: `must be the URL of a ${kinds} file.`,
      ...ruleOf('wrong_format'),
    })
    .meta({ description: `The URL of a ${kinds} file.`, examples: [`/brand.${extensions[0]}`] })
}

/** The target of a link in the header, the footer or the navigation. */
export const href = z
  .string()
  .max(2048)
  .refine(isLinkAddress, {
    error: LINK_ADDRESS_RULE,
    ...ruleOf('wrong_format'),
  })
  .meta({
    description: 'An http, https, mailto or tel URL, or one that starts with `/` or `#`.',
    examples: ['/about'],
  })

/** Any value that JSON can hold. */
export const json = z.custom<JsonValue>((value) => value !== undefined)

/** A copy of the value with white space removed around each text in it. Block scalars of YAML end with a line break. */
export function trimmed(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.trim()
  if (Array.isArray(value)) return value.map(trimmed)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, trimmed(inner)]))
}

function pathname(text: string): string {
  return parseUrl(text, 'https://site.example')?.pathname ?? ''
}
