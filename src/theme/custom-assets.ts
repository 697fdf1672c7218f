import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { compactCss } from './compact-css.ts'
import type { ThemeAsset } from './theme.ts'
import { createThemeAsset, urlInStyle } from './theme-asset.ts'
import { ThemeError } from './theme-error.ts'
import { entryAt, isPresent, type ThemeFile } from './theme-files.ts'

const FOLDER = 'assets'
/** A name with one extension: a script, a style sheet, or an image or font format. */
const NAME = /^([A-Za-z0-9][\w-]*)\.(js|css|svg|png|jpe?g|webp|avif|gif|ico|woff2?|ttf|otf)$/
const MAX_FILES = 50
/** Limits in bytes, per file and for all files. */
const MAX_FILE_BYTES = 2 * 1024 * 1024
const MAX_BYTES = 10 * 1024 * 1024

/** Scripts, styles, images and fonts of a theme by file name. */
export type CustomAssets = ReadonlyMap<string, ThemeAsset>

/**
 * Reads the `assets/` folder of a theme.
 *
 * @throws {ThemeError} when a file is a symbolic link, is too large, or has a name or format that is not
 *   allowed, or when a style sheet imports another.
 */
export async function readCustomAssets(theme: string): Promise<CustomAssets> {
  const folder = join(theme, FOLDER)
  if (!(await isPresent(folder))) return new Map()
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).sort()
  if (names.length > MAX_FILES) throw themeError(folder, `The folder holds more than ${MAX_FILES} files.`)
  const assets = new Map<string, ThemeAsset>()
  let bytes = 0
  for (const name of names) {
    const asset = await readAsset(join(folder, name), name)
    bytes += asset.body.byteLength
    if (bytes > MAX_BYTES) throw themeError(folder, `The files are larger than ${MAX_BYTES} bytes in total.`)
    assets.set(name, asset)
  }
  // Style sheets name other files, so their bytes and hashes follow from those of the others.
  for (const name of names.filter((name) => name.endsWith('.css'))) {
    const text = Buffer.from(assets.get(name)?.body ?? []).toString()
    const file = { path: join(folder, name), text }
    refuseImports(file)
    const css = withAssetUrls(file, assets)
    assets.set(name, assetOf(name, Buffer.from(compactCss(css))))
  }
  return assets
}

/** A rule that loads a style sheet of the theme. Addresses of other sites need no hash. */
const IMPORT = /@import(?!\s*(?:url\(\s*)?["']?(?:https?:|\/))/i

/** The URL of a style sheet has the hash of its final text, so no other file can name it. */
function refuseImports({ path, text }: ThemeFile): void {
  const rules = text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
  const at = rules.search(IMPORT)
  if (at === -1) return
  const message = 'A style sheet cannot load another one. Link both in a template.'
  throw new ThemeError({ file: path, line: text.slice(0, at).split('\n').length, message })
}

async function readAsset(path: string, name: string): Promise<ThemeAsset> {
  const found = await entryAt(path)
  if (!NAME.test(name) || found?.isFile() !== true)
    throw themeError(
      path,
      'Only scripts, style sheets, images and fonts are allowed, named with letters, digits, hyphens and one extension.',
    )
  if (found.size > MAX_FILE_BYTES) throw themeError(path, `The file is larger than ${MAX_FILE_BYTES} bytes.`)
  return assetOf(name, await readFile(path))
}

/** @param name with one extension. */
function assetOf(name: string, body: Uint8Array): ThemeAsset {
  const [base = '', extension = ''] = name.split('.')
  return createThemeAsset(base, extension, body)
}

/**
 * Replaces `url(assets/…)` in a style sheet with the published URLs.
 *
 * @throws {ThemeError} for a file that does not exist.
 */
export function withAssetUrls({ path, text }: ThemeFile, assets: CustomAssets): string {
  return text.replace(/url\(\s*(["']?)assets\/([^"')]*)\1\s*\)/g, (_, __, name: string, at: number) => {
    const asset = assets.get(name)
    if (asset !== undefined) return `url(${urlInStyle(asset)})`
    const line = text.slice(0, at).split('\n').length
    throw new ThemeError({ file: path, line, message: `There is no file ${FOLDER}/${name}.` })
  })
}

function themeError(file: string, message: string): ThemeError {
  return new ThemeError({ file, line: null, message })
}
