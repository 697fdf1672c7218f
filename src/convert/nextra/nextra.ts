import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { humanise } from '../../page-text/humanise.ts'
import { navLink, textOf } from '../config/config-values.ts'
import { configurationIn, prefixOf } from '../config/configured-folder.ts'
import { readDataFile } from '../config/data-file.ts'
import { defined } from '../config/source-config.ts'
import type { Generator, NavItem, PageTarget, SourceFiles, SourceSite } from '../conversion.ts'
import { isAsset } from '../files/asset-names.ts'
import { rewriteMdx } from '../mdx/rewrite-mdx.ts'
import { connectedLocales } from '../page/connected-locales.ts'
import { routeOf } from '../page/page-route.ts'
import { readLiteral } from '../program/object-literal.ts'
import { programDiagnostics } from '../program/program-diagnostics.ts'
import { constantsOf } from '../program/source-program.ts'

const CONFIG = /^(?:(?!.*\/.*\/)(.*)\/)?next\.config\.(?:c|m)?[jt]s$/
const PAGE = /\.mdx?$/
const META = /(^|\/)_meta(\.global)?\.(json|[jt]sx?)$/

/** Nextra: MDX in `content`, `pages` or `app`, with `_meta` files. Configurations are programs, which are not run. */
export const nextra: Generator = {
  name: 'nextra',
  title: 'Nextra',
  detects: (files) => {
    const config = configurationIn(files, CONFIG)
    return config !== '' && /\bnextra\b/.test(files.text(config) ?? '')
  },
  read,
  protectVerbatim: (body) => body,
  rewrite: rewriteMdx,
  tags: [],
}

/** The entries of each `_meta` file, by its folder without a trailing slash. */
type Metas = ReadonlyMap<string, JsonObject>

function read(files: SourceFiles): SourceSite {
  const config = configurationIn(files, CONFIG)
  const prefix = prefixOf(CONFIG.exec(config)?.[1] ?? '')
  const contentRoot = contentFolder(files, prefix)
  const locales = localesOf(files, contentRoot, files.text(config) ?? '')
  const pages = new Map<string, PageTarget>()
  const assets = new Map<string, string>()
  const metas = new Map<string, JsonObject>()
  const diagnostics: Diagnostic[] = [
    diagnostic(
      'QN-PARTLY-CONVERTED',
      config,
      'The configuration and the theme are programs, which are not run. Pages and `_meta` files are converted.',
    ),
  ]
  for (const path of files.paths) {
    if (path.startsWith(`${prefix}public/`)) assets.set(path, path.slice(`${prefix}public/`.length))
    if (!path.startsWith(contentRoot)) continue
    const name = path.slice(contentRoot.length)
    const folder = META.test(name) ? name.replace(META, '') : null
    if (folder !== null) {
      if (!metas.has(folder)) metas.set(folder, metaOf(files, path, diagnostics))
    } else if (PAGE.test(name)) {
      const address = addressOf(name)
      if (address === null) {
        const message =
          'The file is a part of other pages, or makes pages from data. It is no page of its own.'
        diagnostics.push(diagnostic('QN-HIDDEN-PAGE', path, message))
        continue
      }
      const locale = locales.find((each) => address === each || address.startsWith(`${each}/`))
      const isMain = locale !== undefined && locale === locales[0]
      const served = isMain ? address.slice(locale.length).replace(/^\//, '') : address
      const isArticle = /(^|\/)(blog|posts|news)\/./.test(served)
      const isFront = served === '' || served === locale
      pages.set(path, {
        route: routeOf(served),
        type: isFront ? 'page' : isArticle ? 'article' : 'docs',
        originalPath: `/${served}`,
        ...(locale !== undefined && !isMain && { lang: locale }),
      })
    } else if (isAsset(name)) assets.set(path, name)
  }
  for (const [path, target] of pages)
    if (target.type === 'docs' && isHidden(addressOf(path.slice(contentRoot.length)) ?? '', metas))
      pages.set(path, { ...target, type: 'page' })
  const routes = new Map(
    [...pages].map(([path, { route }]) => [addressOf(path.slice(contentRoot.length)) ?? '', route]),
  )
  const top = locales[0] ?? ''
  const links = linksOf(metas.get(top) ?? {}, top, routes)
  return {
    contentRoot,
    fields: defined({
      nav_links: links.length === 0 ? undefined : links,
      locales: connectedLocales(
        locales.map((tag, index) => ({ folder: index === 0 ? '' : tag, tag })),
        pages,
      ),
    }),
    config,
    pages,
    assets,
    order: new Map(),
    nav: (locales.length === 0 ? [''] : locales).flatMap((locale) => navOf(locale, metas, routes)),
    aliases: new Map([
      ['@/', prefix],
      ['public/', `${prefix}public/`],
    ]),
    diagnostics,
  }
}

/** The folder that holds most Markdown, with a trailing slash. */
function contentFolder({ paths }: SourceFiles, prefix: string): string {
  const folders = ['content', 'src/content', 'pages', 'src/pages', 'app', 'src/app'].map(
    (name) => `${prefix}${name}/`,
  )
  const counts = folders.map(
    (folder) => paths.filter((path) => path.startsWith(folder) && PAGE.test(path)).length,
  )
  return folders[counts.indexOf(Math.max(...counts))] ?? `${prefix}pages/`
}

/** Folders of languages, the main one first, when the configuration names them. */
function localesOf({ paths }: SourceFiles, contentRoot: string, config: string): readonly string[] {
  const list = /\blocales:\s*\[([^\]]*)\]/.exec(config)?.[1] ?? ''
  const named = [...list.matchAll(/['"]([\w-]+)['"]/g)].map(([, name = '']) => name)
  const main = /\bdefaultLocale:\s*['"]([\w-]+)['"]/.exec(config)?.[1]
  return named
    .filter((name) => paths.some((path) => path.startsWith(`${contentRoot}${name}/`)))
    .toSorted((one, other) => Number(other === main) - Number(one === main))
}

/** The address of a page. In `app`, a page is the `page.mdx` of its folder. Null for a part of other pages. */
function addressOf(name: string): string | null {
  const bare = name.replace(PAGE, '')
  if (/(^|\/)[_[]/.test(bare)) return null
  return bare
    .replace(/(^|\/)(index|page)$/, '')
    .replace(/(^|\/)\([^()/]*\)(?=\/|$)/g, '')
    .replace(/^\//, '')
}

function metaOf(files: SourceFiles, path: string, diagnostics: Diagnostic[]): JsonObject {
  if (path.endsWith('.json')) return readDataFile(files, path, diagnostics)
  const text = files.text(path) ?? ''
  const start = /\bexport\s+default\s+/.exec(text)
  const { value, skipped } =
    start === null
      ? { value: undefined, skipped: [] }
      : readLiteral(text, start.index + start[0].length, constantsOf(text))
  diagnostics.push(...programDiagnostics(path, isJsonObject(value) ? skipped : ['everything']))
  return isJsonObject(value) ? value : {}
}

/** The sidebar of a folder: the entries of its `_meta` file in their order. */
function navOf(folder: string, metas: Metas, routes: ReadonlyMap<string, string>): readonly NavItem[] {
  if (folder.split('/').length > 10) return []
  return entriesOf(metas.get(folder) ?? {}, folder, metas, routes)
}

/** Entries of the navbar: those of type `page`, and links to other sites. */
function linksOf(
  given: JsonObject,
  folder: string,
  routes: ReadonlyMap<string, string>,
): readonly JsonObject[] {
  return Object.entries(given).flatMap(([name, value]) => {
    if (!isJsonObject(value) || (value['type'] !== 'page' && value['href'] === undefined)) return []
    const route = routes.get([folder, name].filter((part) => part !== '').join('/'))
    const link = navLink(
      value['title'] ?? humanise(name),
      value['href'] ?? (route === undefined ? undefined : `/${route}`),
    )
    return link === null || value['display'] === 'hidden' ? [] : [link]
  })
}

/** Reports whether an entry hides a page, or a folder above it, from the sidebar. Its address stays. */
function isHidden(address: string, metas: Metas): boolean {
  const names = address.split('/')
  return names.some((name, index) => {
    const entry = metas.get(names.slice(0, index).join('/'))?.[name]
    return isJsonObject(entry) && entry['display'] === 'hidden'
  })
}

function entriesOf(
  given: JsonObject,
  folder: string,
  metas: Metas,
  routes: ReadonlyMap<string, string>,
): readonly NavItem[] {
  return Object.entries(given).flatMap(([name, value]): NavItem[] => {
    const path = [folder, name === 'index' ? '' : name].filter((part) => part !== '').join('/')
    if (isJsonObject(value) && (value['type'] === 'separator' || value['display'] === 'hidden')) return []
    const inner =
      isJsonObject(value) && isJsonObject(value['items']) && value['type'] !== 'menu' ? value['items'] : null
    const children =
      inner === null
        ? path === folder
          ? []
          : navOf(path, metas, routes)
        : entriesOf(inner, path, metas, routes)
    return [{ title: titleOf(value) ?? null, route: routes.get(path) ?? null, children }]
  })
}

function titleOf(value: JsonValue): string | undefined {
  return textOf(isJsonObject(value) ? value['title'] : value)
}
