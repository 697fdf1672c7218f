import { isJsonObject, type JsonValue } from './json.ts'
import { tagAddress } from './tag.ts'

/* Series of articles: parts that are read one after the other. */

/** The series of an article, as its author wrote it. */
export interface Series {
  readonly name: string
  /** Its place among the parts; null for the place that its date gives it. */
  readonly order: number | null
}

/** In code points. */
export const MAX_SERIES_NAME = 100

/** Reads a name, an object with `name` and `order`, or the first entry of a list of these. Null for anything else. */
export function readSeries(value: JsonValue | undefined): Series | null {
  const written = Array.isArray(value) ? value[0] : value
  const { name, order } = isJsonObject(written) ? written : { name: written, order: null }
  const text = typeof name === 'string' || typeof name === 'number' ? String(name).trim() : ''
  const isName = tagAddress(text) !== '' && [...text].length <= MAX_SERIES_NAME && !/\p{Cc}/u.test(text)
  if (!isName) return null
  return { name: text, order: typeof order === 'number' && Number.isInteger(order) ? order : null }
}
