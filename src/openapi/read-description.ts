import { parseDocument } from 'yaml'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { messageOf } from '../domain/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'

/*
 * Reads an OpenAPI description, which others may have written: its size, its depth and the number of its values are
 * limited, and nothing that it refers to outside of itself is loaded.
 */

/** 32 MiB: the largest public description known, that of GitHub, has 12 MB. */
export const MAX_DESCRIPTION_BYTES = 32 * 1024 * 1024
const MAX_VALUES = 2_000_000
const MAX_DEPTH = 128
/** Limits alias expansion ("billion laughs"). */
const MAX_ALIASES = 1_000
/** References to other files are reported up to this number. */
const MAX_REPORTED = 5

export type DescriptionReading =
  | { readonly document: JsonObject; readonly errors: readonly [] }
  | { readonly document: null; readonly errors: readonly Diagnostic[] }

/**
 * Parses an OpenAPI description 3.0 or 3.1, as JSON or YAML. Never throws.
 *
 * @param file that errors name.
 */
export function readDescription(text: string, file: string): DescriptionReading {
  const refuse = (message: string, place = {}): DescriptionReading => ({
    document: null,
    errors: [diagnostic('QN-BAD-OPENAPI', file, message, place)],
  })
  if (Buffer.byteLength(text) > MAX_DESCRIPTION_BYTES)
    return refuse(`The description is larger than ${MAX_DESCRIPTION_BYTES / 1024 / 1024} MiB.`)
  const parsed = parse(text)
  if ('message' in parsed) return refuse(parsed.message, parsed)
  const { value: document } = parsed
  if (!isJsonObject(document)) return refuse('The file must hold an OpenAPI description, as JSON or YAML.')
  const version = versionFault(document)
  if (version !== null) return refuse(version)
  const found = inspect(document)
  if (found.excess !== null) return refuse(found.excess)
  if (found.foreign.length > 0)
    return {
      document: null,
      errors: found.foreign
        .slice(0, MAX_REPORTED)
        .map((target) =>
          diagnostic('QN-BAD-OPENAPI', file, foreignMessage(target), { line: lineOf(text, target) }),
        ),
    }
  return { document, errors: [] }
}

function foreignMessage(target: string): string {
  const shown = JSON.stringify(target.slice(0, 200))
  return `$ref ${shown} leads to another file, which is not loaded. Join the description into one file first, for example with "npx @redocly/cli bundle".`
}

type Parsed =
  | { readonly value: JsonValue }
  | { readonly message: string; readonly line?: number; readonly column?: number }

function parse(text: string): Parsed {
  const isJson = /^\s*\{/.test(text)
  try {
    return isJson ? { value: JSON.parse(text) } : parseYaml(text)
  } catch (error) {
    // YAML may start with a brace, too.
    if (isJson && text.length < 1024 * 1024 && deepestIndent(text) <= MAX_DEPTH) return parseYaml(text)
    return { message: `The file is not ${isJson ? 'JSON' : 'YAML'}: ${messageOf(error)}` }
  }
}

/** The parser is recursive, so the depth is limited before. */
function parseYaml(text: string): Parsed {
  if (deepestIndent(text) > MAX_DEPTH * 4) return { message: TOO_DEEP }
  const document = parseDocument(text, { version: '1.2', schema: 'core', logLevel: 'error' })
  const [error] = document.errors
  if (error !== undefined) {
    const [message = ''] = error.message.split('\n')
    const [at] = error.linePos ?? []
    return { message, ...(at !== undefined && { line: at.line, column: at.col }) }
  }
  try {
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) }
  } catch (error) {
    return { message: messageOf(error) }
  }
}

const TOO_DEEP = `The description is nested more than ${MAX_DEPTH} levels deep.`

/** The widest indentation of a line, and the largest number of brackets that are open at once. */
function deepestIndent(text: string): number {
  let deepest = 0
  for (const [indent] of text.matchAll(/^[ \t-]+/gm)) deepest = Math.max(deepest, indent.length)
  let open = 0
  for (const [brackets] of text.matchAll(/[[\]{}]/g)) {
    open = brackets === '[' || brackets === '{' ? open + 1 : Math.max(0, open - 1)
    deepest = Math.max(deepest, open)
  }
  return deepest
}

function versionFault(document: JsonObject): string | null {
  const { openapi, swagger, paths, webhooks } = document
  if (typeof swagger === 'string')
    return `Swagger ${swagger.slice(0, 10)} is not read, only OpenAPI 3.0 and 3.1. Convert the description first, for example with "npx swagger2openapi".`
  if (typeof openapi !== 'string' || !/^3\.[01](\.|$)/.test(openapi))
    return 'The file is no OpenAPI description: openapi must say 3.0 or 3.1.'
  if (!isJsonObject(paths) && !isJsonObject(webhooks))
    return 'The description has no paths, so there is no operation to describe.'
  return null
}

/** Walks all values without recursion. */
function inspect(document: JsonObject): {
  readonly excess: string | null
  readonly foreign: readonly string[]
} {
  const foreign = new Set<string>()
  // Objects in an example or an extension are data, not references.
  const pending: { value: JsonValue; depth: number; isData: boolean }[] = [
    { value: document, depth: 0, isData: false },
  ]
  let values = 0
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth, isData } = next
    values += 1
    if (values > MAX_VALUES)
      return { excess: `The description has more than ${MAX_VALUES} values.`, foreign: [] }
    if (depth > MAX_DEPTH) return { excess: TOO_DEEP, foreign: [] }
    if (Array.isArray(value))
      for (const inner of value) pending.push({ value: inner, depth: depth + 1, isData })
    else if (isJsonObject(value)) {
      const reference = value['$ref']
      if (!isData && typeof reference === 'string' && !reference.startsWith('#')) foreign.add(reference)
      for (const [name, inner] of Object.entries(value)) {
        const isInner = isData || DATA.has(name) || name.startsWith('x-')
        pending.push({ value: inner, depth: depth + 1, isData: isInner })
      }
    }
  }
  return { excess: null, foreign: [...foreign].sort() }
}

const DATA: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const'])

function lineOf(text: string, written: string): number | null {
  const at = text.indexOf(written)
  return at === -1 ? null : text.slice(0, at).split('\n').length
}
