import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { brandingOf, listOf, logoPath, navLink, objectOf, textOf } from '../config/config-values.ts'
import { defined } from '../config/source-config.ts'
import type { SourceLanguage } from '../page/connected-locales.ts'
import { readProgram } from '../program/source-program.ts'
import { type DocusaurusPlugins, docusaurusPlugins, isDecisive } from './plugins.ts'

export interface DocusaurusConfig {
  readonly fields: JsonObject
  readonly base: string
  readonly plugins: DocusaurusPlugins
  /** Search engines must leave out the whole site. */
  readonly isNoIndex: boolean
  /** The labels of the navbar and of the footer. */
  readonly menus: readonly string[]
  /** The main language first. */
  readonly languages: readonly SourceLanguage[]
  /** Folders of files that are served unchanged, relative to the folder of the configuration. */
  readonly staticFolders: readonly string[]
  readonly skipped: readonly string[]
}

const CONVERTED = new Set([
  'title',
  'tagline',
  'url',
  'baseUrl',
  'favicon',
  'presets',
  'plugins',
  'themes',
  'themeConfig',
  'i18n',
  'organizationName',
  'projectName',
  'onBrokenLinks',
  'onBrokenMarkdownLinks',
  'onBrokenAnchors',
  'onDuplicateRoutes',
  'markdown',
  'future',
  'trailingSlash',
  'staticDirectories',
  'titleDelimiter',
  'noIndex',
])
const THEME = new Set([
  'navbar',
  'footer',
  'colorMode',
  'prism',
  'metadata',
  'docs',
  'tableOfContents',
  'image',
])

/** @param text a program that is not run. */
export function docusaurusConfig(text: string): DocusaurusConfig {
  const { config, skipped } = readProgram(text)
  const theme = objectOf(config['themeConfig'])
  const navbar = objectOf(theme['navbar'])
  const plugins = docusaurusPlugins(config)
  const statics = config['staticDirectories']
  const own = textOf(config['url'])
  const logo = objectOf(navbar['logo'])
  const toRoot = (path: JsonValue | undefined) => textOf(path)?.replace(/^(?!https?:|\/)/, '/')
  const links = listOf(navbar['items']).flatMap((item) => linksOf(item, plugins.docs[0]?.base ?? 'docs'))
  const favicon = toRoot(config['favicon'])
  return {
    base: textOf(config['baseUrl']) ?? '/',
    fields: defined({
      name: textOf(config['title']),
      url: own === undefined ? undefined : `${own.replace(/\/$/, '')}${textOf(config['baseUrl']) ?? '/'}`,
      meta_description: textOf(config['tagline']),
      favicon_url: favicon !== undefined && /\.(ico|png|svg)$/i.test(favicon) ? favicon : undefined,
      logo: logoPath(toRoot(logo['src'])),
      logo_dark: logoPath(toRoot(logo['srcDark'])),
      nav_links: links.length === 0 ? undefined : links,
      shared_footer: footerOf(objectOf(theme['footer'])),
      branding: brandingOf(objectOf(config['i18n'])['defaultLocale']),
    }),
    plugins,
    isNoIndex: config['noIndex'] === true,
    menus: [...listOf(navbar['items']), ...listOf(objectOf(theme['footer'])['links'])].flatMap(labelsOf),
    languages: languagesOf(objectOf(config['i18n'])),
    staticFolders: Array.isArray(statics) ? statics.flatMap((each) => textOf(each) ?? []) : ['static'],
    skipped: [
      ...new Set([
        ...skipped.filter((name) => !/^(themes|markdown)|prism/.test(name) && isDecisive(name)),
        ...plugins.skipped,
        ...Object.keys(config).filter((name) => !CONVERTED.has(name)),
        ...Object.keys(theme).flatMap((name) => (THEME.has(name) ? [] : [`themeConfig.${name}`])),
      ]),
    ],
  }
}

function languagesOf({ defaultLocale, locales, localeConfigs }: JsonObject): readonly SourceLanguage[] {
  const main = textOf(defaultLocale) ?? 'en'
  const others = Array.isArray(locales) ? locales.flatMap((name) => textOf(name) ?? []) : []
  return [main, ...others.filter((name) => name !== main)].map((name) => {
    const { label, htmlLang } = objectOf(objectOf(localeConfigs)[name])
    return { folder: name === main ? '' : name, tag: textOf(htmlLang) ?? name, label: textOf(label) }
  })
}

/** The labels of an entry and of those in its menu. */
function labelsOf({ label, title, items }: JsonObject): readonly string[] {
  return [...[textOf(label ?? title) ?? []].flat(), ...listOf(items).flatMap(labelsOf)]
}

/** Links of the navbar. A menu becomes its links. */
function linksOf(item: JsonObject, docsBase: string): readonly JsonObject[] {
  if (Array.isArray(item['items'])) return listOf(item['items']).flatMap((inner) => linksOf(inner, docsBase))
  const doc = textOf(item['docId'])
  const to = textOf(item['to'])
  const path = to !== undefined && !/^(\/|https?:)/.test(to) ? `/${to}` : to
  const target =
    doc === undefined ? (path ?? textOf(item['href'])) : `/${docsBase}/${docPath(doc)}`.replace('//', '/')
  const sidebar = item['type'] === 'docSidebar' ? `/${docsBase}` : undefined
  const link = navLink(item['label'], target ?? sidebar)
  return link === null ? [] : [link]
}

/** The path of a page of docs by its id. An index, and a page named for its folder, are at the folder. */
function docPath(id: string): string {
  return id.replace(/(^|\/)(?:index|readme)$/i, '').replace(/(^|\/)([^/]+)\/\2$/, '$1$2')
}

function footerOf(footer: JsonObject): JsonObject | undefined {
  const groups = listOf(footer['links']).flatMap((group): JsonObject[] => {
    const links = listOf(group['items']).flatMap((item) => linksOf(item, 'docs'))
    if (links.length === 0) return linksOf(group, 'docs').slice()
    return [{ title: textOf(group['title']) ?? '', links }]
  })
  const copyright = textOf(footer['copyright'])?.replace(/<[^<>]*>/g, '')
  if (groups.length === 0 && copyright === undefined) return undefined
  return defined({ links: groups, copyright })
}
