import { withoutEndSlashes } from './end-slashes.ts'
import { withoutExcessMarks } from './normal-form.ts'

/** Usual maximum of URLs, in UTF-16 code units. */
const USUAL_LENGTH = 2_048

/**
 * Parses a URL; null for text that is not one.
 *
 * Use it in place of `URL.canParse`: once V8 has optimised a call of it, that of Node 20 refuses URLs with letters
 * such as `é`. A long run of combining marks in a host takes quadratic time, and is in no URL.
 */
export function parseUrl(text: string, base?: string): URL | null {
  if (text.length > USUAL_LENGTH && withoutExcessMarks(text) !== text) return null
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}

/**
 * The address of an API in a setting, without slashes at its end; null when none is given.
 *
 * @param example for the message.
 * @throws {RangeError} with the reason, without a full stop.
 */
export function readEndpoint(text: string | null, example: string): string | null {
  if (!text) return null
  const url = parseUrl(text)
  if (url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '')
    return withoutEndSlashes(text)
  throw new RangeError(
    `has the endpoint ${JSON.stringify(text)}; it must be an http or https URL such as ${example}`,
  )
}
