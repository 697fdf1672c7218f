import type { JsonObject, JsonValue } from '../domain/json.ts'
import { IMAGE } from './common.ts'
import { readObject } from './read-prop.ts'

/** Reads an image written as a URL or object into canonical props; null for other values. */
export function normalizeImage(value: JsonValue): JsonObject | null {
  const image = readObject(IMAGE, { value, path: '' }, { errors: [], warnings: [] })
  return image?.['src'] === undefined ? null : image
}
