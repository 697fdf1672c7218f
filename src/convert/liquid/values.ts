import type { Diagnostic } from '../../domain/diagnostic.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { valueAt } from '../config/config-values.ts'
import { readDataFile } from '../config/data-file.ts'
import type { SourceFiles } from '../conversion.ts'

const OUTPUT = /\{\{-?\s*([A-Za-z_][\w-]*(?:\.[\w-]+|\[["'][^"'\n]+["']\])*)\s*(?:\|\s*safe\s*)?-?\}\}/g
/** Links are converted by their own tags. */
const ADDRESSES = new Set(['site.baseurl', 'site.url', 'site.time', 'page.url', 'page.date'])

/** Fills in values of the configuration, of data files and of the page's front matter, in code too, as Liquid does. */
export function fillValues(body: string, values: JsonObject): string {
  return body.replace(OUTPUT, (tag, path: string) => {
    const names = [...path.matchAll(/([\w-]+)|\["([^"]*)"\]|\['([^']*)'\]/g)].map(
      ([, word, quoted, single]) => word ?? quoted ?? single ?? '',
    )
    if (ADDRESSES.has(names.join('.')) || !Object.hasOwn(values, names[0] ?? '')) return tag
    const value = valueAt(values, names)
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : tag
  })
}

/** `site.data`: the YAML and JSON files of a folder, by their paths. */
export function dataFiles(files: SourceFiles, folder: string, diagnostics: Diagnostic[]): JsonObject {
  const data: Record<string, JsonValue> = {}
  for (const path of files.paths) {
    if (!path.startsWith(folder) || !/\.(ya?ml|json)$/.test(path)) continue
    const value = readDataFile(files, path, diagnostics)
    const names = path
      .slice(folder.length)
      .replace(/\.\w+$/, '')
      .split('/')
    if (!names.includes('__proto__')) insert(data, names, value)
  }
  return data
}

function insert(data: Record<string, JsonValue>, names: readonly string[], value: JsonObject): void {
  const [name = '', ...rest] = names
  if (rest.length === 0) data[name] = value
  else {
    const inner: Record<string, JsonValue> = { ...(isJsonObject(data[name]) ? data[name] : {}) }
    insert(inner, rest, value)
    data[name] = inner
  }
}
