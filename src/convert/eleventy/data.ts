import { posix } from 'node:path'
import type { Diagnostic } from '../../domain/diagnostic.ts'
import type { JsonObject } from '../../domain/json.ts'
import { normalForm } from '../../domain/normal-form.ts'
import { valueAt } from '../config/config-values.ts'
import { readDataFile } from '../config/data-file.ts'
import type { SourceFiles } from '../conversion.ts'
import { readSourceDate } from '../page/source-date.ts'
import { readObjectLiteral } from '../program/object-literal.ts'
import { programDiagnostics } from '../program/program-diagnostics.ts'
import { constantsOf } from '../program/source-program.ts'

/**
 * Inherited front matter of a page: from the data files of its folder and the folders above, e.g. `posts/posts.json`,
 * and from the data file of its own name. Programs are read but not run. Each file is read once.
 */
export function createInheritedData(
  files: SourceFiles,
  contentRoot: string,
  diagnostics: Diagnostic[],
): (path: string) => JsonObject {
  const present = new Set(files.paths)
  const known = new Map<string, JsonObject>()
  const readAt = (base: string): JsonObject => {
    const paths = ENDINGS.map((ending) => base + ending).filter((path) => present.has(path))
    return Object.assign({}, ...paths.map((path) => dataIn(files, path, diagnostics)))
  }
  const dataOf = (base: string): JsonObject => {
    const found = known.get(base) ?? readAt(base)
    known.set(base, found)
    return found
  }
  return (path) => {
    const folders = path.slice(contentRoot.length).split('/').slice(0, -1)
    const above = folders.map((name, index) => posix.join(contentRoot, ...folders.slice(0, index + 1), name))
    return Object.assign({}, ...[...above, path.replace(/\.\w+$/, '')].map(dataOf))
  }
}

const ENDINGS = ['.json', '.11tydata.json', '.11tydata.js', '.11tydata.cjs', '.11tydata.mjs']

function dataIn(files: SourceFiles, path: string, diagnostics: Diagnostic[]): JsonObject {
  if (path.endsWith('.json')) return readDataFile(files, path, diagnostics)
  const text = files.text(path) ?? ''
  const start = /\bmodule\.exports\s*=\s*|\bexport\s+default\s+|\breturn\s+/.exec(text)
  const brace = start === null ? -1 : text.indexOf('{', start.index + start[0].length)
  const { fields, skipped } =
    brace === -1 ? { fields: {}, skipped: ['everything'] } : readObjectLiteral(text, brace, constantsOf(text))
  diagnostics.push(...programDiagnostics(path, skipped))
  return fields
}

/** @param name the path below the input folder. */
export interface EleventyPage {
  readonly name: string
  readonly fields: JsonObject
}

/** The path at which Eleventy serves a page. Null for a permalink that is a program or prints unknown values. */
export function eleventyAddress({ name, fields }: EleventyPage): string | null {
  const stem = name.replace(/\.\w+$/, '').replace(/(^|\/)\d{4}-\d{2}-\d{2}-([^/]+)$/, '$1$2')
  const folder = stem.split('/').at(-2)
  const isIndex = /(^|\/)index$/.test(stem) || (folder !== undefined && stem.endsWith(`${folder}/${folder}`))
  const usual = `/${isIndex ? posix.dirname(stem).replace(/^\.$/, '') : stem}/`.replace('//', '/')
  const { permalink } = fields
  if (permalink === undefined || permalink === null || permalink === true) return usual
  if (typeof permalink !== 'string') return null
  const values: JsonObject = {
    ...fields,
    page: {
      fileSlug: usual.split('/').at(-2) ?? '',
      filePathStem: `/${stem}`,
      date: readSourceDate(fields['date'] ?? /(\d{4}-\d{2}-\d{2})-/.exec(name)?.[1]),
      outputFileExtension: 'html',
    },
  }
  const filled = permalink.replace(
    /\{\{-?\s*([\w.]+)\s*((?:\|[^{}|]*)*)-?\}\}/g,
    (tag, path: string, filters: string) => {
      const value = valueAt(values, path.split('.'))
      return typeof value === 'string' || typeof value === 'number' ? filtered(String(value), filters) : tag
    },
  )
  if (/[{}]/.test(filled)) return null
  return posix.join('/', filled).replace(/(^|\/)index\.html$/, '$1')
}

function filtered(value: string, filters: string): string {
  return filters
    .split('|')
    .map((filter) => filter.trim())
    .filter((filter) => filter !== '')
    .reduce((text, filter) => {
      const [, name = '', given = ''] = /^(\w+)\s*[:(]?\s*["']?([^"')]*)/.exec(filter) ?? []
      if (/^(slug|slugify)$/.test(name)) return slugified(text)
      if (/date/i.test(name) && /%/.test(given)) return dateParts(text, given)
      return text
    }, value)
}

function dateParts(date: string, format: string): string {
  const [year = '', month = '', day = ''] = date.slice(0, 10).split('-')
  const parts: Readonly<Record<string, string>> = { Y: year, m: month, d: day }
  return format.replace(/%([Ymd])/g, (_, part: string) => parts[part] ?? '')
}

/** A text as the filter `slugify` writes it. */
export function slugified(text: string): string {
  return normalForm(text, 'NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}
