import { join } from 'node:path'
import { Script } from 'node:vm'

import { z } from 'zod'
import { messageOf } from '../domain/errors.ts'
import { isJsonObject, type JsonObject } from '../domain/json.ts'
import { compactCss } from './compact-css.ts'
import { compileTemplates } from './compile-templates.ts'
import { readComponents } from './components.ts'
import { type CompileTheme, createTheme, type ThemeParts } from './create-theme.ts'
import { readCustomAssets, withAssetUrls } from './custom-assets.ts'
import { readLabels, withCustomLabels } from './labels.ts'
import { listThemes, type ThemeFolders, type ThemeLocation } from './list-themes.ts'
import { readStemmers } from './stemmers.ts'
import type { Theme, ThemeAsset, ThemeAssets } from './theme.ts'
import { createThemeAsset } from './theme-asset.ts'
import { ThemeError } from './theme-error.ts'
import {
  folderPath,
  isPresent,
  parseThemeJson,
  positionInJson,
  readFolder,
  readThemeFile,
  type ThemeFile,
  type ThemeFiles,
} from './theme-files.ts'
import {
  customTokenStyle,
  type ParsedManifest,
  readThemeManifest,
  resolvedManifest,
  tokenStyle,
} from './theme-manifest.ts'

/**
 * Loads a theme. Its templates override those of its parent theme, and these the shared ones. Its style follows theirs.
 * Reads and compiles everything now, so that rendering reads no files.
 *
 * @throws {ThemeError} when the theme does not exist or one of its files is invalid.
 */
export async function loadTheme(
  name: string,
  folders: ThemeFolders,
  compile: CompileTheme = compileTemplates,
): Promise<Theme> {
  return createTheme(await readTheme(name, folders), compile)
}

/**
 * Loads all themes by name.
 *
 * @param compile may defer compiling for templates that are known to compile.
 * @throws {ThemeError} as `loadTheme` and `listThemes`.
 */
export async function loadThemes(
  folders: ThemeFolders,
  compile: CompileTheme = compileTemplates,
): Promise<ReadonlyMap<string, Theme>> {
  const places = await listThemes(folders)
  const shared = await readShared(folderPath(folders.templates))
  const read = await Promise.all(places.map((place) => readThemeParts(place, places, shared)))
  return new Map(read.map((parts) => [parts.name, createTheme(parts, compile)]))
}

/**
 * Reads the files of a theme.
 *
 * @throws {ThemeError} as `loadTheme`, except for compile errors.
 */
export async function readTheme(name: string, folders: ThemeFolders): Promise<ThemeParts> {
  const places = await listThemes(folders)
  const place = places.find((place) => place.name === name)
  if (place === undefined || !(await isPresent(place.folder))) {
    const file = folderPath(folders.themes)
    throw new ThemeError({ file, line: null, message: `There is no theme ${JSON.stringify(name)}.` })
  }
  return readThemeParts(place, places, await readShared(folderPath(folders.templates)))
}

/** The style that only pages with sections, cards or lists of articles load. */
const SECTION_STYLE = 'styles/sections.css'

/** Files that all themes share. */
interface SharedParts extends Pick<ThemeParts, 'templates' | 'labels' | 'stemmers' | 'notFoundScript'> {
  /** Descriptions of components. */
  readonly descriptions: ThemeFiles
  readonly assets: Omit<ThemeAssets, 'style'>
  /** Minified; ends with a complete rule. */
  readonly style: string
}

async function readShared(folder: string): Promise<SharedParts> {
  const styles = await readFolder(folder, 'styles', '.css')
  const textOf = (files: readonly ThemeFile[]) => compactCss(files.map(({ text }) => text).join('\n'))
  const sections = styles.get(SECTION_STYLE)
  const { text: notFound } = await readThemeFile(join(folder, 'scripts/not-found.js'))
  return {
    templates: await readTemplates([folder]),
    descriptions: await readAll([folder], ['components'], '.yaml'),
    labels: await readLabels(folder),
    assets: {
      sectionStyle: createThemeAsset('sections', 'css', textOf(sections === undefined ? [] : [sections])),
      ...(await readSharedAssets(join(folder, 'scripts'))),
    },
    style: textOf([...styles.values()].filter((file) => file !== sections)),
    stemmers: new Map(
      [...(await readStemmers())].map(([language, text]) => [
        language,
        createThemeAsset(`stem-${language}`, 'js', text),
      ]),
    ),
    notFoundScript: compactScript(notFound),
  }
}

/** @throws {ThemeError} when one of its files is invalid. */
async function readThemeParts(
  { name, folder }: ThemeLocation,
  places: readonly ThemeLocation[],
  {
    templates,
    descriptions: sharedDescriptions,
    labels,
    assets,
    style,
    stemmers,
    notFoundScript,
  }: SharedParts,
): Promise<ThemeParts> {
  const written = await readThemeManifest(folder)
  const parent = await readParent(written, places)
  const manifest = resolvedManifest(written, parent?.written ?? null)
  const folders = parent === null ? [folder] : [parent.folder, folder]
  const templatesOfTheme = new Map([...templates, ...(await readTemplates(folders))])
  const descriptions = new Map([...sharedDescriptions, ...(await readAll(folders, ['components'], '.yaml'))])
  refuseUnknownSections(written, templatesOfTheme)
  const files = await readCustomAssets(folder)
  const styles = (await readStyles(folders)).map((style) => withAssetUrls(style, files))
  const tokens = compactCss(tokenStyle(manifest))
  const own = compactCss([customTokenStyle(manifest), ...styles].join('\n'))
  const ownScript = await readOwnScript(folder)
  return {
    name,
    manifest,
    notFoundScript,
    files,
    stemmers,
    samples: await readSamples(folder),
    components: readComponents(templatesOfTheme, descriptions),
    templates: templatesOfTheme,
    labels: await withCustomLabels(labels, folder),
    assets: {
      style: createThemeAsset('theme', 'css', tokens + style + own),
      ...assets,
      ...(ownScript !== null && { ownScript }),
    },
  }
}

/** @throws {ThemeError} when the manifest declares the props of a section that has no template. */
function refuseUnknownSections({ file, fields }: ParsedManifest, templates: ThemeFiles): void {
  for (const type of Object.keys(fields.sections ?? {})) {
    if (templates.has(`sections/${type}.eta`)) continue
    throw new ThemeError({
      file: file.path,
      ...positionInJson(file.text, ['sections', type]),
      message: `sections.${type}: there is no template sections/${type}.eta.`,
    })
  }
}

interface Parent {
  readonly folder: string
  readonly written: ParsedManifest
}

/**
 * Only built-in themes can be extended, so that no theme extends itself.
 *
 * @throws {ThemeError} when the theme is not a built-in one.
 */
async function readParent(
  { file, extends: name }: ParsedManifest,
  places: readonly ThemeLocation[],
): Promise<Parent | null> {
  if (name === null) return null
  const builtIn = places.filter(({ isBuiltIn }) => isBuiltIn)
  const found = builtIn.find((place) => place.name === name)
  if (found !== undefined) return { folder: found.folder, written: await readThemeManifest(found.folder) }
  const known = builtIn.map((place) => place.name).join(', ')
  throw new ThemeError({
    file: file.path,
    ...positionInJson(file.text, ['extends']),
    message: `extends: must be a built-in theme (${known}), not ${JSON.stringify(name)}.`,
  })
}

const TEMPLATE_FOLDERS = ['layouts', 'partials', 'sections', 'components'] as const

function readTemplates(roots: readonly string[]): Promise<ThemeFiles> {
  return readAll(roots, TEMPLATE_FOLDERS, '.eta')
}

/** @param roots later ones override earlier ones. */
async function readAll(
  roots: readonly string[],
  folders: readonly string[],
  ending: string,
): Promise<ThemeFiles> {
  const read = roots.flatMap((root) => folders.map((folder) => readFolder(root, folder, ending)))
  // A Map keeps the last of several entries with one name.
  return new Map((await Promise.all(read)).flatMap((files) => [...files]))
}

/** Only themes that extend another may omit `style.css`. */
async function readStyles(folders: readonly string[]): Promise<readonly ThemeFile[]> {
  const own = folders.at(-1) ?? ''
  const isWithout = folders.length > 1 && !(await isPresent(join(own, 'style.css')))
  const styled = isWithout ? folders.slice(0, -1) : folders
  return Promise.all(styled.map((folder) => readThemeFile(join(folder, 'style.css'))))
}

const Sample = z.custom<JsonObject>(isJsonObject, 'must be an object, as a section in a page')

/** @throws {ThemeError} when one is not JSON. */
async function readSamples(folder: string): Promise<ThemeParts['samples']> {
  const files = await readFolder(folder, 'sections', '.json')
  return new Map(
    [...files].map(([path, file]) => [
      path.slice('sections/'.length, -'.json'.length),
      parseThemeJson(Sample, file),
    ]),
  )
}

const OWN_SCRIPT = 'script.js'

/** @throws {ThemeError} when browsers could not run it. */
async function readOwnScript(folder: string): Promise<ThemeAsset | null> {
  if (!(await isPresent(join(folder, OWN_SCRIPT)))) return null
  const { path, text } = await readThemeFile(join(folder, OWN_SCRIPT))
  try {
    // Parses the script without running it.
    new Script(text, { filename: path })
  } catch (error) {
    const line = Number(/:(\d+)\n/.exec(String(Object(error).stack))?.[1] ?? 1)
    throw new ThemeError({ file: path, line, message: messageOf(error) }, { cause: error })
  }
  return createThemeAsset('script', 'js', text)
}

async function readSharedAssets(scripts: string): Promise<Omit<SharedParts['assets'], 'sectionStyle'>> {
  const { text: script } = await readThemeFile(join(scripts, 'site.js'))
  const { text: analytics } = await readThemeFile(join(scripts, 'analytics.js'))
  const { text: visits } = await readThemeFile(join(scripts, 'visits.js'))
  const { text: box } = await readThemeFile(join(scripts, 'search/box.css'))
  return {
    script: createThemeAsset('site', 'js', compactScript(script)),
    search: createThemeAsset('search', 'js', await readSearchScript(join(scripts, 'search'))),
    searchStyle: createThemeAsset('search', 'css', compactCss(box)),
    analytics: createThemeAsset('analytics', 'js', compactScript(analytics)),
    visits: createThemeAsset('visits', 'js', compactScript(visits)),
  }
}

/** In the order of their dependencies. They are concatenated into one scope. */
const SEARCH_MODULES = ['words.js', 'near.js', 'forms.js', 'find.js', 'excerpt.js', 'box.js'] as const

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

/** Removes comment lines and indentation. No string in the scripts spans lines. */
function compactScript(script: string): string {
  return script.replace(/^\s*\/\/.*\n/gm, '').replace(/^\s+/gm, '')
}
