import { posix } from 'node:path'
import { isJsonObject } from '../../domain/json.ts'
import { objectOf, textOf } from '../config/config-values.ts'
import { folderBelow } from '../config/configured-folder.ts'
import { matchesGlob } from '../files/source-glob.ts'
import { readLiteral } from '../program/object-literal.ts'
import { constantsOf, literalAfter } from '../program/source-program.ts'

/** The folders of an Eleventy site, below the source folder and without leading and trailing slashes. */
export interface EleventyFolders {
  readonly input: string
  readonly output: string
  readonly includes: string
  readonly layouts: string
  readonly data: string
}

/** Files that a configuration copies to the output unchanged: a path or a pattern, and the target. */
export interface Passthrough {
  readonly from: string
  /** The target. Null for the same path, relative to the input folder when the file is in it. */
  readonly to: string | null
}

export interface EleventyConfig {
  readonly folders: EleventyFolders
  readonly passthrough: readonly Passthrough[]
  /** Names of the values that are computed. */
  readonly skipped: readonly string[]
}

const COPY = /\.addPassthroughCopy\(\s*/g

/** Reads `dir`, the setters of folders and the copies of a configuration, a program that is not run. */
export function eleventyConfig(text: string): EleventyConfig {
  const dir = objectOf(literalAfter(text, /\bdir\s*[:=]\s*\{/).value)
  const named = (name: string) =>
    textOf(dir[name]) ??
    new RegExp(`\\.set${name}Directory\\(\\s*["'\`]([^"'\`]*)`, 'i').exec(text)?.[1] ??
    // In an object of another name.
    (name === 'input' || name === 'output'
      ? new RegExp(`\\b${name}:\\s*["'\`]([^"'\`]*)`).exec(text)?.[1]
      : undefined)
  const input = folderBelow('', named('input') ?? '.') ?? ''
  const inside = (name: string, usual: string) => folderBelow(input, named(name) ?? usual) ?? ''
  const includes = inside('includes', '_includes')
  const { copies, skipped } = copiesIn(text)
  return {
    folders: {
      input,
      output: folderBelow('', named('output') ?? '_site') ?? '_site',
      includes,
      layouts: named('layouts') === undefined ? includes : inside('layouts', '_layouts'),
      data: inside('data', '_data'),
    },
    passthrough: copies,
    skipped,
  }
}

function copiesIn(text: string): { copies: readonly Passthrough[]; skipped: readonly string[] } {
  const constants = constantsOf(text)
  const copies: Passthrough[] = []
  const skipped: string[] = []
  for (const { 0: call, index } of text.matchAll(COPY)) {
    const { value } = readLiteral(text, index + call.length, constants)
    if (typeof value === 'string') copies.push({ from: normal(value), to: null })
    else if (isJsonObject(value))
      for (const [from, to] of Object.entries(value))
        copies.push({ from: normal(from), to: typeof to === 'string' ? to : null })
    else skipped.push('a call of addPassthroughCopy')
  }
  return { copies, skipped }
}

function normal(path: string): string {
  return posix.normalize(path).replace(/^\.?\/|\/$/g, '')
}

/** The path at which a copied file is served. Null when the configuration does not copy it. */
export function copiedTo(path: string, { passthrough, folders }: EleventyConfig): string | null {
  for (const { from, to } of passthrough) {
    const isPattern = /[*?{]/.test(from)
    const isIn = isPattern ? matchesGlob(path, from) : path === from || path.startsWith(`${from}/`)
    if (!isIn) continue
    if (to === null) return path.startsWith(`${folders.input}/`) ? path.slice(folders.input.length + 1) : path
    const rest =
      isPattern || (path === from && to.endsWith('/')) ? posix.basename(path) : path.slice(from.length)
    return posix.join('/', to, rest).slice(1)
  }
  return null
}
