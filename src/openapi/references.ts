import { decoded } from '../domain/author-url.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'

/** An object of a description, behind all its references. */
export interface Resolved {
  readonly value: JsonObject
  /** The last reference that led there, such as `#/components/schemas/Pet`; null for none. */
  readonly pointer: string | null
}

/** Follows the references of a value; null for a value that is no object, and for a dangling reference. */
export type Resolve = (value: JsonValue | undefined) => Resolved | null

/** References that refer to references. */
const MAX_HOPS = 32

export function createResolver(document: JsonObject): Resolve {
  return (value) => {
    let current = value
    let pointer: string | null = null
    let texts: JsonObject = {}
    for (let hops = 0; hops < MAX_HOPS; hops += 1) {
      if (!isJsonObject(current)) return null
      const reference = current['$ref']
      if (typeof reference !== 'string')
        return { value: pointer === null ? current : { ...current, ...texts }, pointer }
      texts = { ...besideReference(current), ...texts }
      pointer = reference
      current = valueAt(document, reference)
    }
    return null
  }
}

/** Returns the texts next to a reference. OpenAPI 3.1 allows them to replace the texts of its target. */
function besideReference({ summary, description, deprecated }: JsonObject): JsonObject {
  return {
    ...(typeof summary === 'string' && { summary }),
    ...(typeof description === 'string' && { description }),
    ...(deprecated === true && { deprecated }),
  }
}

/** The value that a JSON Pointer (RFC 6901) in a fragment leads to. */
function valueAt(document: JsonObject, reference: string): JsonValue | undefined {
  let value: JsonValue | undefined = document
  for (const step of decoded(reference.replace(/^#\/?/, '')).split('/')) {
    if (step === '') continue
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(value)) value = value[Number(name)]
    else if (isJsonObject(value) && Object.hasOwn(value, name)) value = value[name]
    else return undefined
  }
  return value
}

/** The name at the end of a reference, such as `Pet`; null for a schema that is written where it is used. */
export function nameOf(pointer: string | null): string | null {
  if (pointer === null) return null
  const name = decoded(pointer.slice(pointer.lastIndexOf('/') + 1))
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
  return name === '' ? null : name
}
