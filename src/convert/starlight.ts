import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { humanise } from '../page-text/humanise.ts'
import { isAsset } from './asset-names.ts'
import { brandingOf, listOf, logoPath, navLink, objectOf, textOf } from './config-values.ts'
import type { Generator, NavItem, PageTarget, SourceFiles, SourceSite } from './conversion.ts'
import { withDirectives } from './mdx/directives.ts'
import { rewriteMdx } from './mdx/rewrite-mdx.ts'
import { constantsOf, readLiteral } from './object-literal.ts'
import { routeOf } from './page-route.ts'
import { programDiagnostics } from './program-diagnostics.ts'
import { MAX_SIDEBAR_DEPTH } from './site-nav.ts'
import { defined } from './source-config.ts'
import { splitSourcePage } from './source-front-matter.ts'

const CONFIG = /^(?:(?!.*\/.*\/)(.*)\/)?astro\.config\.(?:c|m)?[jt]s$/
const PAGE = /\.(mdx?|mdoc)$/
const CONVERTED = new Set([
  'title',
  'description',
  'logo',
  'favicon',
  'social',
  'editLink',
  'locales',
  'defaultLocale',
  'sidebar',
  'lastUpdated',
  'tableOfContents',
  'pagefind',
  'pagination',
  'customCss',
  'expressiveCode',
  'credits',
])

/** Starlight: Markdown and MDX in `src/content/docs`. The configuration is a program, which is not run. */
export const starlight: Generator = {
  name: 'starlight',
  title: 'Starlight',
  detects: ({ paths }) =>
    paths.some((path) => CONFIG.test(path)) &&
    paths.some((path) => /(^|\/)src\/content\/docs\/.*\.(mdx?|mdoc)$/.test(path)),
  read,
  protectVerbatim: (body) => body,
  rewrite: (body, context) =>
    context.path.endsWith('.mdx') ? rewriteMdx(body, context) : withDirectives(body, context.report),
  tags: [],
}

function read(files: SourceFiles): SourceSite {
  const path = files.paths.find((each) => CONFIG.test(each)) ?? ''
  const root = CONFIG.exec(path)?.[1] ?? ''
  const prefix = root === '' ? '' : `${root}/`
  const contentRoot = `${prefix}src/content/docs/`
  const { config, fields, skipped, base } = readConfig(files.text(path) ?? '')
  const locales = localesOf(config)
  const pages = new Map<string, PageTarget>()
  const assets = new Map<string, string>()
  const facts = new Map<string, PageFacts>()
  const diagnostics: Diagnostic[] = []
  diagnostics.push(...programDiagnostics(path, skipped, 'The configuration is'))
  for (const file of files.paths) {
    const name = file.startsWith(contentRoot) ? file.slice(contentRoot.length) : null
    if (name !== null && PAGE.test(name)) {
      const page = splitSourcePage(files.text(file) ?? '').fields
      const bare = name.replace(PAGE, '').replace(/(^|\/)index$/, '')
      const address = textOf(page['slug'])?.replace(/^\/+|\/+$/g, '') ?? bare
      const locale = locales.get(address.split('/')[0] ?? '')
      const route = routeOf(address)
      const isFront = address === '' || (locale !== undefined && !address.includes('/'))
      if (/(^|\/)_/.test(name)) {
        const message =
          'Its name begins with an underscore, so it is a part of other pages. It is no page of its own.'
        diagnostics.push(diagnostic('QN-HIDDEN-PAGE', file, message))
        continue
      }
      pages.set(file, {
        route,
        type: isFront ? 'page' : 'docs',
        originalPath: `/${address}`,
        ...(locale !== undefined && { lang: locale }),
      })
      if (!isFront) facts.set(route, factsOf(page, address))
    } else if (file.startsWith(`${prefix}public/`)) assets.set(file, file.slice(`${prefix}public/`.length))
    else if (file.startsWith(`${prefix}src/assets/`) && isAsset(file))
      assets.set(file, file.slice(`${prefix}src/`.length))
    else if (name !== null && isAsset(name)) assets.set(file, name)
    else if (file.startsWith(`${prefix}src/pages/`))
      diagnostics.push(
        diagnostic('QN-NOT-CONVERTED', file, 'The page is a program, which is not run. It is left out.'),
      )
  }
  const logo = logoFile(config, prefix, files)
  return {
    contentRoot,
    fields: defined({ ...fields, logo: logoPath(logo) }),
    ...(base !== undefined && { base }),
    pages,
    assets,
    order: new Map(),
    nav: ['', ...locales.keys()].flatMap((locale) => navOf(config['sidebar'], facts, locale, locales)),
    aliases: new Map([
      ['~/', `${prefix}src/`],
      ['@/', `${prefix}src/`],
      ['@assets/', `${prefix}src/assets/`],
    ]),
    diagnostics,
  }
}

function readConfig(text: string) {
  const constants = constantsOf(text)
  const objectAfter = (pattern: RegExp) => {
    const start = pattern.exec(text)
    const at = start === null ? -1 : text.indexOf('{', start.index + start[0].length - 1)
    return at === -1 ? { value: undefined, skipped: ['everything'] } : readLiteral(text, at, constants)
  }
  const { value, skipped } = objectAfter(/\bstarlight\(\s*\{/)
  const astro = objectOf(objectAfter(/\bdefineConfig\(\s*\{/).value)
  const config = objectOf(value)
  const social = config['social']
  const links = isJsonObject(social)
    ? Object.entries(social).map(([icon, href]) => navLink(humanise(icon), href))
    : listOf(social).map(({ label, icon, href }) => navLink(label ?? icon, href))
  const site = textOf(astro['site'])
  const base = textOf(astro['base'])
  const shown = links.filter((link) => link !== null)
  return {
    config,
    base,
    skipped: [
      ...skipped.filter((name) => !/^(sidebar|expressiveCode|customCss)/.test(name)),
      ...Object.keys(config).filter((name) => !CONVERTED.has(name)),
    ],
    fields: defined({
      name: textOf(config['title']) ?? textOf(Object.values(objectOf(config['title']))[0]),
      url: site === undefined ? undefined : `${site.replace(/\/$/, '')}${base ?? ''}`,
      meta_description: textOf(config['description']),
      favicon_url: /^\/.*\.(ico|png|svg)$/i.test(textOf(config['favicon']) ?? '')
        ? textOf(config['favicon'])
        : undefined,
      nav_links: shown.length === 0 ? undefined : shown,
      branding: brandingOf(objectOf(objectOf(config['locales'])['root'])['lang']),
      edit_base: textOf(objectOf(config['editLink'])['baseUrl']),
    }),
  }
}

/** The language tag of each folder of translations. */
function localesOf({ locales }: JsonObject): ReadonlyMap<string, string> {
  const others = Object.entries(objectOf(locales)).filter(([name]) => name !== 'root')
  return new Map(others.map(([name, given]) => [name, textOf(objectOf(given)['lang']) ?? name]))
}

function logoFile({ logo }: JsonObject, prefix: string, { paths }: SourceFiles): string | undefined {
  const given = objectOf(logo)
  const path = textOf(given['src']) ?? textOf(given['light'])
  const file = path?.replace(/^\.?\//, prefix)
  return file !== undefined && paths.includes(file) ? `/${file.slice(`${prefix}src/`.length)}` : undefined
}

/** What a page says of its entry in the sidebar. */
interface PageFacts {
  readonly address: string
  readonly label: string | null
  readonly order: number | null
  readonly isHidden: boolean
}

function factsOf({ sidebar }: JsonObject, address: string): PageFacts {
  const { label, order, hidden } = objectOf(sidebar)
  return {
    address,
    label: textOf(label) ?? null,
    order: typeof order === 'number' ? order : null,
    isHidden: hidden === true,
  }
}

/** The sidebar in one language. The empty locale is the main language. */
function navOf(
  sidebar: JsonValue | undefined,
  facts: ReadonlyMap<string, PageFacts>,
  locale: string,
  locales: ReadonlyMap<string, string>,
): readonly NavItem[] {
  const prefix = locale === '' ? '' : `${locale}/`
  const tag = locales.get(locale) ?? ''
  const own = [...facts].filter(([, { address }]) =>
    locale === '' ? !locales.has(address.split('/')[0] ?? '') : address.startsWith(prefix),
  )
  return Array.isArray(sidebar) ? sidebar.flatMap((each) => itemOf(each, 0)) : folderItems('')

  function itemOf(given: JsonValue, depth: number): readonly NavItem[] {
    if (depth > MAX_SIDEBAR_DEPTH) return []
    if (typeof given === 'string') return pageItem(given, null)
    if (!isJsonObject(given)) return []
    const { slug, link, items, autogenerate } = given
    const label = textOf(objectOf(given['translations'])[tag]) ?? textOf(given['label']) ?? null
    if (typeof slug === 'string') return pageItem(slug, label)
    if (typeof link === 'string') return pageItem(link.replace(/^\/+|\/+$/g, ''), label)
    const children = [
      ...(Array.isArray(items) ? items.flatMap((each) => itemOf(each, depth + 1)) : []),
      ...(isJsonObject(autogenerate) ? folderItems(String(autogenerate['directory'] ?? '')) : []),
    ]
    return label === null ? children : [{ title: label, route: null, children }]
  }

  function pageItem(address: string, title: string | null): readonly NavItem[] {
    const route = routeOf(`${prefix}${address}`)
    const page = facts.get(route)
    return page === undefined ? [] : [{ title: title ?? page.label, route, children: [] }]
  }

  /** The pages of a folder by their `order`, then by path. */
  function folderItems(directory: string): readonly NavItem[] {
    const folder = `${prefix}${directory}`.replace(/\/+$/, '')
    const inside = own.filter(
      ([, { address, isHidden }]) =>
        !isHidden && (folder === '' || address === folder || address.startsWith(`${folder}/`)),
    )
    return inside
      .toSorted(
        ([, one], [, other]) =>
          (one.order ?? Number.MAX_VALUE) - (other.order ?? Number.MAX_VALUE) ||
          (one.address < other.address ? -1 : 1),
      )
      .map(([route, { label }]) => ({ title: label, route, children: [] }))
  }
}
