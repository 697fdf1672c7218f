import type { JsonObject, JsonValue } from './json.ts'

/** Every page is rendered with the data of its site, so they are in memory wherever one is. */
const MAX_DATA_BYTES = 256 * 1024
const MAX_LEVELS = 16

/** A value in the data of a site that its pages cannot use. */
export interface DataFault {
  /** Names and indexes down to the value; empty for all data. */
  readonly path: readonly (string | number)[]
  /** The end of a sentence that begins with the value. */
  readonly message: string
}

/** Why a site cannot have these data, as the end of a sentence; null if it can. */
export function sizeFault(data: JsonObject): string | null {
  if (isDeeper(data, MAX_LEVELS)) return `must be nested at most ${MAX_LEVELS} levels deep.`
  if (Buffer.byteLength(JSON.stringify(data)) > MAX_DATA_BYTES) return 'must be at most 256 KiB as JSON.'
  return null
}

function isDeeper(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
