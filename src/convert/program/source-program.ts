import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { type Constants, readLiteral } from './object-literal.ts'

/** The constants that a program declares at the start of a line, and its functions of a single return. */
export function constantsOf(text: string): Constants {
  const declared = text.matchAll(/^(?:export\s+)?(?:const|let|var)\s+([A-Za-z_$][\w$]*)[^=\n;]{0,200}=\s*/gm)
  const functions = text.matchAll(
    /^(?:export\s+)?function\s+([A-Za-z_$][\w$]*)\s*\([^()]*\)[^{}\n]{0,200}\{\s*return\s+/gm,
  )
  return new Map(
    [...declared, ...functions].map(({ 0: start, 1: name = '', index }) => [name, index + start.length]),
  )
}

/** The object that a program exports. */
export interface ExportedObject {
  readonly config: JsonObject
  /** Names of the values that are no literals. */
  readonly skipped: readonly string[]
}

/** The exported object of a program, which may be a constant or in a call. Empty when there is none. */
export function readProgram(text: string): ExportedObject {
  const constants = constantsOf(text)
  const exported = /\bmodule\.exports\s*=\s*|\bexport\s+default\s+/.exec(text)
  const starts = [
    exported === null ? null : exported.index + exported[0].length,
    constants.get('config') ?? null,
    ...[...text.matchAll(/\breturn\s+(?=\{)/g)].map((found) => found.index + found[0].length),
  ]
  for (const start of starts) {
    if (start === null) continue
    const { value, skipped } = readLiteral(text, start, constants)
    if (isJsonObject(value)) return { config: value, skipped }
  }
  return { config: {}, skipped: ['everything'] }
}

/** The literal value that follows the first match of a pattern, from the next brace. Undefined when there is none. */
export function literalAfter(
  text: string,
  pattern: RegExp,
): { readonly value: JsonValue | undefined; readonly skipped: readonly string[] } {
  const start = pattern.exec(text)
  const at = start === null ? -1 : text.indexOf('{', start.index + start[0].length - 1)
  return at === -1 ? { value: undefined, skipped: ['everything'] } : readLiteral(text, at, constantsOf(text))
}
