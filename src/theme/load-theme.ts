import { createHash } from 'node:crypto'
import { join } from 'node:path'

import { compactCss } from './compact-css.ts'
import { compileTemplates } from './compile-templates.ts'
import { type LabelsByLanguage, labelsIn, readLabels } from './labels.ts'
import { listThemes } from './list-themes.ts'
import type { Theme, ThemeAsset, ThemeAssets } from './theme.ts'
import { ThemeError } from './theme-error.ts'
import { folderPath, isPresent, readFolder, readThemeFile, type ThemeFiles } from './theme-files.ts'
import { readThemeManifest, type ThemeManifest, tokenStyle } from './theme-manifest.ts'

export interface ThemeFolders {
  /** Holds a folder per theme. */
  readonly themes: URL | string
  /** What all themes share: templates, style, scripts and words. */
  readonly templates: URL | string
}

/**
 * Load a theme: its templates win over the shared ones of the same name, its style follows the shared style.
 * All is read and compiled now; rendering touches no disk.
 *
 * @throws {ThemeError} if there is no such theme or a file of it cannot be used.
 */
export async function loadTheme(name: string, folders: ThemeFolders): Promise<Theme> {
  const own = await themeFolder(name, folderPath(folders.themes))
  const shared = folderPath(folders.templates)
  const manifest = await readThemeManifest(own)
  const templates = await readTemplates(shared, own)
  const labels = await readLabels(shared)
  const assets = await readAssets(shared, own, manifest)
  const { text: notFound } = await readThemeFile(join(shared, 'scripts/not-found.js'))
  const notFoundScript = withoutComments(notFound)
  return createTheme({ name, manifest, templates, labels, assets, notFoundScript })
}

/**
 * Load every theme there is, by its name.
 *
 * @throws {ThemeError} as `loadTheme`.
 */
export async function loadThemes(folders: ThemeFolders): Promise<ReadonlyMap<string, Theme>> {
  const names = (await listThemes(folders.themes)).map(({ name }) => name)
  const themes = await Promise.all(names.map((name) => loadTheme(name, folders)))
  return new Map(themes.map((theme) => [theme.name, theme]))
}

async function themeFolder(name: string, themes: string): Promise<string> {
  const folder = join(themes, name)
  if (/^[a-z0-9][a-z0-9-]*$/.test(name) && (await isPresent(folder))) return folder
  throw new ThemeError({ file: themes, line: null, message: `There is no theme ${JSON.stringify(name)}.` })
}

async function readTemplates(shared: string, own: string): Promise<ThemeFiles> {
  const folders = ['layouts', 'partials', 'sections']
  const read = [shared, own].flatMap((root) => folders.map((folder) => readFolder(root, folder, '.eta')))
  // Of two entries with one name a Map keeps the later, which is the theme's own.
  return new Map((await Promise.all(read)).flatMap((files) => [...files]))
}

async function readAssets(shared: string, own: string, manifest: ThemeManifest): Promise<ThemeAssets> {
  const base = [...(await readFolder(shared, 'styles', '.css')).values()].map(({ text }) => text)
  const { text: style } = await readThemeFile(join(own, 'style.css'))
  const { text: script } = await readThemeFile(join(shared, 'scripts/site.js'))
  const { text: analytics } = await readThemeFile(join(shared, 'scripts/analytics.js'))
  return {
    style: asset('theme', 'css', compactCss([tokenStyle(manifest), ...base, style].join('\n'))),
    script: asset('site', 'js', withoutComments(script)),
    search: asset('search', 'js', await readSearchScript(join(shared, 'scripts/search'))),
    searchStyle: asset(
      'search',
      'css',
      compactCss((await readThemeFile(join(shared, 'scripts/search/box.css'))).text),
    ),
    analytics: asset('analytics', 'js', withoutComments(analytics)),
  }
}

/** In the order in which they need each other; as one script they share their names. */
const SEARCH_MODULES = ['words.js', 'find.js', 'box.js'] as const

async function readSearchScript(folder: string): Promise<string> {
  const modules = await Promise.all(SEARCH_MODULES.map((name) => readThemeFile(join(folder, name))))
  const joined = modules.map(({ text }) => withoutComments(withoutModules(text))).join('')
  return `;(() => {\n${joined}})()\n`
}

function withoutModules(script: string): string {
  return script
    .replace(/^\/\*\*[\s\S]*?\*\/\n/gm, '')
    .replace(/^import .*\n/gm, '')
    .replace(/^export /gm, '')
}

/** Whole lines only: what else looks like a comment may stand in a string. */
function withoutComments(script: string): string {
  return script.replace(/^\s*\/\/.*\n/gm, '')
}

function asset(name: string, extension: string, text: string): ThemeAsset {
  return { key: `_assets/${name}.${sha256(text).slice(0, 16)}.${extension}`, body: Buffer.from(text) }
}

interface ThemeParts {
  readonly name: string
  readonly manifest: ThemeManifest
  readonly templates: ThemeFiles
  readonly labels: LabelsByLanguage
  readonly assets: ThemeAssets
  readonly notFoundScript: string
}

function createTheme(parts: ThemeParts): Theme {
  const { name, manifest, templates, labels, assets, notFoundScript } = parts
  const render = compileTemplates(templates)
  const theme = { name, colorScheme: manifest.color_scheme }
  const document = (layout: string, view: { readonly lang: string }) =>
    render(`layouts/${layout}`, { ...view, theme, labels: labelsIn(view.lang, labels) })
  const sectionTemplate = (type: string) =>
    templates.has(`sections/${type}.eta`) ? `sections/${type}` : 'sections/generic'

  return {
    name,
    digest: digestOf(parts),
    assets,
    notFoundScript,
    labels: (lang) => labelsIn(lang, labels),
    section: (view) =>
      render(sectionTemplate(view.type), { ...view, theme, labels: labelsIn(view.lang, labels) }),
    page: (view) => document(view.page.type, view),
    notFound: (view) => document('not-found', view),
    navPage: (view) => document('nav-page', view),
    listing: (view) => document('listing', view),
  }
}

/** Where the files lie on this machine does not count. */
function digestOf({ name, manifest, templates, labels, assets, notFoundScript }: ThemeParts): string {
  const texts = [...templates].map(([file, { text }]) => [file, text]).sort()
  const keys = Object.values<ThemeAsset>({ ...assets }).map(({ key }) => key)
  return sha256(JSON.stringify([name, manifest.color_scheme, texts, labels, keys, notFoundScript]))
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
