import { lstatSync, readdirSync, readFileSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { isScalar, LineCounter, parseDocument, visit } from 'yaml'
import type { z } from 'zod'

import { messageOf } from '../domain/errors.ts'
import { fieldName, plainReason } from '../domain/invalid-field.ts'
import { ThemeError } from './theme-error.ts'

/*
 * Theme files are read synchronously: they are small, many, and needed before anything else, and asynchronous
 * reads take ten times as long.
 */

export interface ThemeFile {
  /** Path on this machine, for messages. */
  readonly path: string
  readonly text: string
}

/** Files by path in a folder, e.g. `partials/head.eta`, sorted. */
export type ThemeFiles = ReadonlyMap<string, ThemeFile>

/** In bytes. Theme files are written by hand. */
const MAX_FILE_BYTES = 512 * 1024
/** Per folder. */
const MAX_FILES = 500

export function folderPath(folder: URL | string): string {
  return typeof folder === 'string' ? folder : fileURLToPath(folder)
}

/**
 * Reads all files with this extension directly in `{root}/{folder}`; empty when the folder does not exist.
 *
 * @throws {ThemeError} when a file or the folder is a symbolic link, or there are too many files.
 */
export async function readFolder(root: string, folder: string, ending: string): Promise<ThemeFiles> {
  const here = join(root, folder)
  if (!(await isPresent(here))) return new Map()
  const names = readdirSync(here)
    .filter((name) => name.endsWith(ending))
    .sort()
  if (names.length > MAX_FILES) throw fileError(here, `The folder holds more than ${MAX_FILES} files.`)
  const files = names.map(
    async (name) => [`${folder}/${name}`, await readThemeFile(join(here, name))] as const,
  )
  return new Map(await Promise.all(files))
}

/** @throws {ThemeError} when the file is missing, a symbolic link, too large or not UTF-8 text. */
export async function readThemeFile(path: string): Promise<ThemeFile> {
  const found = await entryAt(path)
  if (found === null) throw fileError(path, 'The file does not exist.')
  if (!found.isFile()) throw fileError(path, 'This is not a regular file.')
  if (found.size > MAX_FILE_BYTES) throw fileError(path, `The file is larger than ${MAX_FILE_BYTES} bytes.`)
  try {
    return { path, text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)) }
  } catch (error) {
    if (error instanceof TypeError) throw fileError(path, 'The file is not UTF-8 text.')
    throw error
  }
}

/**
 * Reports whether the path exists.
 *
 * @throws {ThemeError} for a symbolic link: its target could be anywhere and would be published.
 */
export async function isPresent(path: string): Promise<boolean> {
  return (await entryAt(path)) !== null
}

/**
 * Status of the path; null when it does not exist.
 *
 * @throws {ThemeError} for a symbolic link.
 */
export async function entryAt(path: string): Promise<Stats | null> {
  const found = lstatSync(path, { throwIfNoEntry: false }) ?? null
  if (found?.isSymbolicLink() === true) throw fileError(path, 'Symbolic links are not allowed in themes.')
  return found
}

function fileError(file: string, message: string): ThemeError {
  return new ThemeError({ file, line: null, message })
}

/** @throws {ThemeError} when the file is not JSON or does not match the schema. */
export function parseThemeJson<Shape>(shape: z.ZodType<Shape>, file: ThemeFile): Shape {
  return checked(shape, file, parseJson(file.path, file.text))
}

/** @throws {ThemeError} when the file is not YAML or does not match the schema. */
export function parseThemeYaml<Shape>(shape: z.ZodType<Shape>, file: ThemeFile): Shape {
  return checked(shape, file, parseYaml(file.path, file.text))
}

function checked<Shape>(shape: z.ZodType<Shape>, { path, text }: ThemeFile, value: unknown): Shape {
  const parsed = shape.safeParse(value)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map((issue) => {
    const path = issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path
    const message = issue.code === 'unrecognized_keys' ? 'unknown field.' : plainReason(issue)
    return { path, text: `${path.length === 0 ? '' : `${fieldName(path)}: `}${message}` }
  })
  const place = positionInJson(text, faults[0]?.path ?? [])
  throw new ThemeError({ file: path, ...place, message: faults.map((fault) => fault.text).join(' ') })
}

/**
 * Position of the value at a path in JSON text. For a missing value, the position of the innermost existing
 * parent.
 */
export function positionInJson(
  text: string,
  path: readonly PropertyKey[],
): { readonly line: number; readonly column: number } {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  let at = 0
  visit(document, {
    Pair(_, { key }, above) {
      const depth = above.filter((node) => 'items' in Object(node)).length - 1
      if (!isScalar(key) || key.value !== path[depth]) return visit.SKIP
      at = key.range?.[0] ?? at
      return undefined
    },
  })
  const { line, col } = lines.linePos(at)
  return { line, column: col }
}

/** Aliases are refused: a short file could expand to a large value. */
function parseYaml(file: string, text: string): unknown {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [fault] = [...document.errors, ...document.warnings]
  if (fault !== undefined) {
    const { line, col } = lines.linePos(fault.pos[0])
    throw new ThemeError({ file, line, column: col, message: fault.message })
  }
  try {
    return document.toJS({ maxAliasCount: 0 })
  } catch (error) {
    throw new ThemeError({ file, line: null, message: messageOf(error) }, { cause: error })
  }
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = messageOf(error)
    const position = /at position (\d+)/.exec(message)?.[1]
    const before = position === undefined ? null : text.slice(0, Number(position)).split('\n')
    const place = {
      line: before?.length ?? null,
      column: before === null ? null : (before.at(-1) ?? '').length + 1,
    }
    throw new ThemeError({ file, ...place, message }, { cause: error })
  }
}
