import { join } from 'node:path'

import { compactCss } from './compact-css.ts'
import { compileTemplates } from './compile-templates.ts'
import { type CompileTheme, createTheme, sha256, type ThemeParts } from './create-theme.ts'
import { readLabels, withOwnLabels } from './labels.ts'
import { listThemes, type ThemeFolders, type ThemePlace } from './list-themes.ts'
import { readOwnAssets, withAssetUrls } from './own-assets.ts'
import type { Theme, ThemeAsset, ThemeAssets } from './theme.ts'
import { ThemeError } from './theme-error.ts'
import {
  folderPath,
  isPresent,
  placeInJson,
  readFolder,
  readThemeFile,
  type ThemeFile,
  type ThemeFiles,
} from './theme-files.ts'
import {
  ownTokenStyle,
  readThemeManifest,
  resolvedManifest,
  type ThemeManifest,
  tokenStyle,
  type WrittenManifest,
} from './theme-manifest.ts'

/**
 * Load a theme: its templates win over those of the theme it extends, and these over the shared ones of
 * the same name; its style follows theirs. All is read and compiled now; rendering touches no disk.
 *
 * @throws {ThemeError} if there is no such theme or a file of it cannot be used.
 */
export async function loadTheme(
  name: string,
  folders: ThemeFolders,
  compile: CompileTheme = compileTemplates,
): Promise<Theme> {
  return createTheme(await readTheme(name, folders), compile)
}

/**
 * Load every theme there is, by its name.
 *
 * @param compile may wait until a template is used where all of them were compiled before.
 * @throws {ThemeError} as `loadTheme`, and for names as `listThemes`.
 */
export async function loadThemes(
  folders: ThemeFolders,
  compile: CompileTheme = compileTemplates,
): Promise<ReadonlyMap<string, Theme>> {
  const places = await listThemes(folders)
  const themes = await Promise.all(places.map(({ name }) => loadTheme(name, folders, compile)))
  return new Map(themes.map((theme) => [theme.name, theme]))
}

/** All that a theme is made of, as it lies there. @throws {ThemeError} as `loadTheme`, but for what compiling finds. */
export async function readTheme(name: string, folders: ThemeFolders): Promise<ThemeParts> {
  const places = await listThemes(folders)
  const place = places.find((place) => place.name === name)
  if (place === undefined || !(await isPresent(place.folder))) {
    const file = folderPath(folders.themes)
    throw new ThemeError({ file, line: null, message: `There is no theme ${JSON.stringify(name)}.` })
  }
  const shared = folderPath(folders.templates)
  const written = await readThemeManifest(place.folder)
  const parent = await readParent(written, places)
  const manifest = resolvedManifest(written, parent?.written ?? null)
  const above = parent === null ? [] : [parent.folder]
  const { text: notFound } = await readThemeFile(join(shared, 'scripts/not-found.js'))
  const files = await readOwnAssets(place.folder)
  const styles = await readStyles([...above, place.folder])
  return {
    ...{ name, manifest },
    templates: await readTemplates([shared, ...above, place.folder]),
    labels: await withOwnLabels(await readLabels(shared), place.folder),
    files,
    assets: await readAssets(
      shared,
      manifest,
      styles.map((style) => withAssetUrls(style, files)),
    ),
    notFoundScript: compactScript(notFound),
  }
}

interface Parent {
  readonly folder: string
  readonly written: WrittenManifest
}

/** Only of what comes with Quoin, so that no theme can extend itself. @throws {ThemeError} */
async function readParent(
  { file, extends: name }: WrittenManifest,
  places: readonly ThemePlace[],
): Promise<Parent | null> {
  if (name === null) return null
  const builtIn = places.filter(({ isBuiltIn }) => isBuiltIn)
  const found = builtIn.find((place) => place.name === name)
  if (found !== undefined) return { folder: found.folder, written: await readThemeManifest(found.folder) }
  const known = builtIn.map((place) => place.name).join(', ')
  throw new ThemeError({
    file: file.path,
    ...placeInJson(file.text, ['extends']),
    message: `extends: must be a theme that comes with Quoin (${known}), not ${JSON.stringify(name)}.`,
  })
}

const TEMPLATE_FOLDERS = ['layouts', 'partials', 'sections'] as const

/** @param folders of which the later ones win. */
async function readTemplates(folders: readonly string[]): Promise<ThemeFiles> {
  const read = folders.flatMap((root) => TEMPLATE_FOLDERS.map((folder) => readFolder(root, folder, '.eta')))
  // Of two entries with one name a Map keeps the later.
  return new Map((await Promise.all(read)).flatMap((files) => [...files]))
}

/** Each theme has one, but for those that extend another. */
async function readStyles(folders: readonly string[]): Promise<readonly ThemeFile[]> {
  const own = folders.at(-1) ?? ''
  const isWithout = folders.length > 1 && !(await isPresent(join(own, 'style.css')))
  const styled = isWithout ? folders.slice(0, -1) : folders
  return Promise.all(styled.map((folder) => readThemeFile(join(folder, 'style.css'))))
}

async function readAssets(
  shared: string,
  manifest: ThemeManifest,
  styles: readonly string[],
): Promise<ThemeAssets> {
  const base = [...(await readFolder(shared, 'styles', '.css')).values()].map(({ text }) => text)
  const { text: script } = await readThemeFile(join(shared, 'scripts/site.js'))
  const { text: analytics } = await readThemeFile(join(shared, 'scripts/analytics.js'))
  const style = [tokenStyle(manifest), ...base, ownTokenStyle(manifest), ...styles].join('\n')
  return {
    style: asset('theme', 'css', compactCss(style)),
    script: asset('site', 'js', compactScript(script)),
    search: asset('search', 'js', await readSearchScript(join(shared, 'scripts/search'))),
    searchStyle: asset(
      'search',
      'css',
      compactCss((await readThemeFile(join(shared, 'scripts/search/box.css'))).text),
    ),
    analytics: asset('analytics', 'js', compactScript(analytics)),
  }
}

/** In the order in which they need each other; as one script they share their names. */
const SEARCH_MODULES = ['words.js', 'find.js', 'box.js'] as const

async function readSearchScript(folder: string): Promise<string> {
  const modules = await Promise.all(SEARCH_MODULES.map((name) => readThemeFile(join(folder, name))))
  const joined = modules.map(({ text }) => compactScript(withoutModules(text))).join('')
  return `;(() => {\n${joined}})()\n`
}

function withoutModules(script: string): string {
  return script
    .replace(/^\/\*\*[\s\S]*?\*\/\n/gm, '')
    .replace(/^import .*\n/gm, '')
    .replace(/^export /gm, '')
}

/** Without lines that are comments, and without the space that lines begin with: no text goes over a line. */
function compactScript(script: string): string {
  return script.replace(/^\s*\/\/.*\n/gm, '').replace(/^\s+/gm, '')
}

function asset(name: string, extension: string, text: string): ThemeAsset {
  return { key: `_assets/${name}.${sha256(text).slice(0, 16)}.${extension}`, body: Buffer.from(text) }
}
