import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import type { JsonObject } from '../../domain/json.ts'
import { keepHeadingIds, vitepressId } from '../body/heading-ids.ts'
import { textOf } from '../config/config-values.ts'
import { configurationIn, configuredFolder, prefixOf } from '../config/configured-folder.ts'
import { defined } from '../config/source-config.ts'
import type { Generator, PageTarget, SourceFiles, SourceSite } from '../conversion.ts'
import { isAsset } from '../files/asset-names.ts'
import { matchesAnyGlob } from '../files/source-glob.ts'
import { connectedLocales, settingsByLocale } from '../page/connected-locales.ts'
import { bareName, routeOf } from '../page/page-route.ts'
import { withImports } from '../program/imported-values.ts'
import { programDiagnostics } from '../program/program-diagnostics.ts'
import { convertFocus } from './code.ts'
import { srcDirOf, type VitepressConfig, vitepressConfig } from './config.ts'
import { createRewrites } from './rewrites.ts'
import { VITEPRESS_TAGS } from './tags.ts'
import { protectVPre } from './verbatim.ts'

const CONFIG = /^(?:(.*)\/)?\.vitepress\/config(?:\/index)?\.(?:m?[jt]s)$/

/** VitePress: Markdown next to a `.vitepress` folder. The configuration is a program, which is not run. */
export const vitepress: Generator = {
  name: 'vitepress',
  title: 'VitePress',
  detects: ({ paths }) => paths.some((path) => CONFIG.test(path)),
  read,
  protectVerbatim: protectVPre,
  rewrite: (body, { site }) =>
    convertFocus(keepHeadingIds(withUsualAttributes(body, site.values), vitepressId)),
  tags: VITEPRESS_TAGS,
}

/** Files of the configuration of a language: next to its pages, or next to the main configuration. */
const LOCALE_CONFIG = /\.vitepress\/config\/([\w-]+)\.m?[jt]s$|(?:^|\/)([\w-]+)\/config\.m?[jt]s$/

function read(files: SourceFiles): SourceSite {
  const config = configurationIn(files, CONFIG)
  const root = CONFIG.exec(config)?.[1] ?? ''
  const text = withImports(files, config)
  const diagnostics: Diagnostic[] = []
  const folder = configuredFolder(files, srcDirOf(text), { file: config, field: 'srcDir', root }, diagnostics)
  const contentRoot = prefixOf(folder ?? root)
  const pages = new Map<string, PageTarget>()
  const assets = new Map<string, string>()
  const read = vitepressConfig(text, localeConfigs(files, prefixOf(root), contentRoot, config))
  const { rewrite, unread: unreadPatterns } = createRewrites(read.rewrites)
  const unread = new Map<string, string>()
  for (const path of files.paths) {
    if (!path.startsWith(contentRoot) || /(^|\/)\./.test(path)) continue
    const name = path.slice(contentRoot.length)
    const served = rewrite(name)
    if (/\[[^\]]+\]/.test(name)) {
      if (name.endsWith('.md')) unread.set(path, `/${name.replace(/\.md$/, '')}`)
      diagnostics.push(
        diagnostic('QN-NOT-CONVERTED', path, 'The file generates pages from data. It is left out.'),
      )
    } else if (name.endsWith('.md') && matchesAnyGlob(name, read.srcExclude))
      diagnostics.push(
        diagnostic(
          'QN-HIDDEN-PAGE',
          path,
          '`srcExclude` of the configuration names the file. It is left out.',
        ),
      )
    else if (name.endsWith('.md')) pages.set(path, targetOf(served, read))
    else if (name.startsWith('public/')) assets.set(path, name.slice('public/'.length))
    else if (isAsset(name)) assets.set(path, name)
  }
  const { fields, skipped } = withLanguages(read, pages)
  const patterns = unreadPatterns.map((pattern) => `the pattern ${pattern} of rewrites`)
  if (config !== '')
    diagnostics.push(
      ...programDiagnostics(config, [...read.skipped, ...patterns, ...skipped], 'The configuration is'),
    )
  return {
    contentRoot,
    fields,
    base: read.base,
    config,
    menus: read.menus,
    languages: [read.mainLanguage.tag, ...read.languages.values()],
    unread,
    pages,
    assets,
    order: read.nav.length === 0 ? orderOf(text) : new Map(),
    nav: read.nav,
    values: delimitersIn(files, `${prefixOf(root)}.vitepress/config`),
    diagnostics,
  }
}

/** Writes attributes such as `%{#id}%` in the usual braces, where the configuration of Markdown chooses others. */
function withUsualAttributes(body: string, values: JsonObject | undefined): string {
  const [left, right] = [textOf(values?.['leftDelimiter']), textOf(values?.['rightDelimiter'])]
  if (left === undefined || right === undefined) return body
  return body.replace(/^ {0,3}#{1,6}[ \t].*$/gm, (heading) => {
    const at = heading.lastIndexOf(left)
    const text = heading.trimEnd()
    if (at === -1 || !text.endsWith(right)) return heading
    return `${text.slice(0, at)}{${text.slice(at + left.length, -right.length)}}`
  })
}

/** The marks around attributes, in the configuration or in a program of it. */
function delimitersIn(files: SourceFiles, folder: string): JsonObject {
  const texts = files.paths
    .filter((path) => path.startsWith(folder) && /\.m?[jt]s$/.test(path))
    .map((path) => files.text(path) ?? '')
  const markOf = (name: string) =>
    texts.flatMap((text) => new RegExp(`\\b${name}:\\s*(['"])([^'"\\n]{1,10})\\1`).exec(text)?.[2] ?? [])[0]
  return defined({ leftDelimiter: markOf('leftDelimiter'), rightDelimiter: markOf('rightDelimiter') })
}

function targetOf(served: string, { languages, cleanUrls }: VitepressConfig): PageTarget {
  const lang = languages.get(served.split('/')[0] ?? '')
  const bare = served.replace(/\.md$/, '')
  const isIndex = /(^|\/)index$/.test(bare)
  return {
    route: routeOf(bareName(served)),
    type: bareName(served) === '' ? 'page' : 'docs',
    originalPath: `/${isIndex ? bare.slice(0, -'index'.length) : cleanUrls ? bare : `${bare}.html`}`,
    ...(lang !== undefined && { lang }),
  }
}

/** The configurations of languages, by the names of their folders. */
function localeConfigs(
  files: SourceFiles,
  root: string,
  contentRoot: string,
  main: string,
): ReadonlyMap<string, string> {
  const found = files.paths.flatMap((path): [string, string][] => {
    const isPart =
      path.startsWith(`${root}.vitepress/config/`) ||
      /^[\w-]+\/config\.m?[jt]s$/.test(path.slice(contentRoot.length))
    const name = LOCALE_CONFIG.exec(path)
      ?.slice(1)
      .find((part) => part !== undefined)
    const hasPages = files.paths.some(
      (each) => each.startsWith(`${contentRoot}${name}/`) && each.endsWith('.md'),
    )
    return isPart && path !== main && name !== undefined && hasPages ? [[name, withImports(files, path)]] : []
  })
  return new Map(found)
}

/** Fields of `site.yaml` with the languages of the site. */
function withLanguages(
  { fields, languages, labels, mainLanguage, ownSettings }: VitepressConfig,
  pages: ReadonlyMap<string, PageTarget>,
): { readonly fields: JsonObject; readonly skipped: readonly string[] } {
  const folders = new Set([...languages.keys(), ...labels.keys()])
  const others = [...folders].map((folder) => ({
    folder,
    tag: languages.get(folder) ?? folder,
    label: labels.get(folder),
  }))
  const locales = connectedLocales([{ folder: '', ...mainLanguage }, ...others], pages)
  const { byLocale, unknown } = settingsByLocale(locales, ownSettings)
  return {
    fields: defined({ ...fields, locales, by_locale: byLocale }),
    skipped: unknown.map((folder) => `menu and texts of ${folder}, which is no language of the new site`),
  }
}

/** The position of each page in the sidebars, by route. */
function orderOf(config: string): ReadonlyMap<string, number> {
  const order = new Map<string, number>()
  for (const [, , link = ''] of config.matchAll(/\blink:\s*(['"`])\/?([^'"`#?]*)/g)) {
    const route = routeOf(bareName(link.replace(/\/$/, '')))
    if (!/^[a-z]+:/.test(link) && !order.has(route)) order.set(route, order.size + 1)
  }
  return order
}
