import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { ThemeParts } from '../theme/create-theme.ts'
import { isPresent, positionInJson, readThemeFile, type ThemeFile } from '../theme/theme-files.ts'
import type { TemplatePosition } from './instrument-templates.ts'

/** The files in a theme's own folder. */
export interface OwnFiles {
  readonly folder: string
  /** Relative paths of all files, with forward slashes, sorted. */
  readonly names: readonly string[]
  readonly manifest: ThemeFile
  /** The style sheet; null without a style.css. */
  readonly style: ThemeFile | null
}

/** Maximum number of files to check. A theme has a few dozen. */
const MAX_FILES = 2000

export async function readOwnFiles(folder: string): Promise<OwnFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => !entry.isDirectory()).slice(0, MAX_FILES)
  const names = files.map((entry) =>
    relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'),
  )
  const style = join(folder, 'style.css')
  return {
    folder,
    names: names.filter((name) => !/(^|\/)\./.test(name)).sort(),
    manifest: await readThemeFile(join(folder, 'theme.json')),
    style: (await isPresent(style)) ? await readThemeFile(style) : null,
  }
}

/** The position at which the theme sets a custom property; null for an inherited one. */
export function placeOfProperty(name: string, { manifest, style }: OwnFiles): TemplatePosition | null {
  const set = style === null ? null : new RegExp(`--${name}\\s*:`).exec(withoutComments(style.text))
  if (style !== null && set !== null) return { file: style.path, line: lineAt(style.text, set.index) }
  const written = Object(JSON.parse(manifest.text)).tokens ?? {}
  if (!Object.hasOwn(written, name)) return null
  return { file: manifest.path, line: positionInJson(manifest.text, ['tokens', name]).line }
}

/** Replaces comments with spaces, so that offsets stay the same. */
export function withoutComments(css: string): string {
  return css.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
}

export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

/** The style sheets that pages with sections load, in their order. */
export function styleText({ assets }: ThemeParts): string {
  return Buffer.concat([assets.sectionStyle.body, assets.style.body]).toString()
}
