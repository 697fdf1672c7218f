import type { JsonObject, JsonValue } from '../domain/json.ts'
import { IMAGE } from './common.ts'
import { readObject } from './read-prop.ts'

/** An image written as a URL or an object, under canonical names; null when the value is neither. */
export function normalizeImage(value: JsonValue): JsonObject | null {
  const image = readObject(IMAGE, { value, path: '' }, { faults: [], lapses: [] })
  return image?.['src'] === undefined ? null : image
}
