import { posix } from 'node:path'
import type { JsonObject, JsonValue } from '../domain/json.ts'
import { isJsonObject } from '../domain/json.ts'
import { brandingOf, listOf, logoPath, navLink, objectOf, textOf } from './config-values.ts'
import { constantsOf, readLiteral } from './object-literal.ts'
import { defined } from './source-config.ts'

/** The folder of a plugin's pages, and the path below which they are served. */
export interface DocusaurusPart {
  /** Below the source folder, without a slash at its end. */
  readonly folder: string
  /** Without slashes at its ends. Empty for the root. */
  readonly base: string
  readonly options: JsonObject
}

export interface DocusaurusConfig {
  readonly fields: JsonObject
  readonly base: string
  readonly docs: readonly DocusaurusPart[]
  readonly blogs: readonly DocusaurusPart[]
  /** The address that each path of the redirects plugin leads to. */
  readonly redirects: ReadonlyMap<string, string>
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

/** @param root the folder of the configuration, without a slash at its end. @param text a program that is not run. */
export function docusaurusConfig(root: string, text: string): DocusaurusConfig {
  const { config, skipped } = readProgram(text)
  const theme = objectOf(config['themeConfig'])
  const navbar = objectOf(theme['navbar'])
  const plugins = [...pluginsIn(config['presets']), ...pluginsIn(config['plugins'])]
  const part = (name: string, options: JsonValue | undefined): DocusaurusPart => ({
    folder: posix.join(root, textOf(objectOf(options)['path']) ?? name),
    base: (textOf(objectOf(options)['routeBasePath']) ?? name).replace(/^\/+|\/+$/g, ''),
    options: objectOf(options),
  })
  const presets = plugins.filter(({ name }) => /preset|classic/.test(name))
  const withPreset = presets.length === 0 ? [{ name: 'classic', options: {} as JsonObject }] : presets
  const kinds = (name: 'docs' | 'blog') => [
    ...withPreset.flatMap(({ options }) => (options[name] === false ? [] : [part(name, options[name])])),
    ...plugins
      .filter((plugin) => plugin.name.endsWith(`plugin-content-${name}`))
      .map(({ options }) => part(name, options)),
  ]
  const own = textOf(config['url'])
  const logo = objectOf(navbar['logo'])
  const toRoot = (path: JsonValue | undefined) => textOf(path)?.replace(/^(?!https?:|\/)/, '/')
  const links = listOf(navbar['items']).flatMap((item) => linksOf(item, kinds('docs')[0]?.base ?? 'docs'))
  const favicon = toRoot(config['favicon'])
  return {
    base: textOf(config['baseUrl']) ?? '/',
    fields: defined({
      name: textOf(config['title']),
      url: own === undefined ? undefined : `${own.replace(/\/$/, '')}${textOf(config['baseUrl']) ?? '/'}`,
      meta_description: textOf(config['tagline']),
      favicon_url: favicon !== undefined && /\.(ico|png|svg)$/i.test(favicon) ? favicon : undefined,
      logo: logoPath(toRoot(logo['src'])),
      nav_links: links.length === 0 ? undefined : links,
      shared_footer: footerOf(objectOf(theme['footer'])),
      branding: brandingOf(objectOf(config['i18n'])['defaultLocale']),
    }),
    docs: kinds('docs'),
    blogs: kinds('blog'),
    redirects: redirectsIn(plugins),
    skipped: [
      ...new Set([
        ...skipped.filter((name) => !/^(presets|plugins|themes|markdown)|prism/.test(name)),
        ...Object.keys(config).filter((name) => !CONVERTED.has(name)),
        ...Object.keys(theme).flatMap((name) => (THEME.has(name) ? [] : [`themeConfig.${name}`])),
      ]),
    ],
  }
}

/** The exported object of a program, which may be a constant or in a call. */
export function readProgram(text: string): { config: JsonObject; skipped: readonly string[] } {
  const constants = constantsOf(text)
  const exported = /\bmodule\.exports\s*=\s*|\bexport\s+default\s+/.exec(text)
  const starts = [
    exported === null ? null : exported.index + exported[0].length,
    constants.get('config') ?? null,
    ...[...text.matchAll(/\breturn\s+(?=\{)/g)].map((found) => found.index + found[0].length),
  ]
  for (const start of starts) {
    if (start === null) continue
    const { value, skipped } = readLiteral(text, start, constants)
    if (isJsonObject(value)) return { config: value, skipped }
  }
  return { config: {}, skipped: ['everything'] }
}

interface Plugin {
  readonly name: string
  readonly options: JsonObject
}

function pluginsIn(given: JsonValue | undefined): readonly Plugin[] {
  return (Array.isArray(given) ? given : []).flatMap((entry) => {
    const [name, options] = Array.isArray(entry) ? entry : [entry]
    return typeof name === 'string' ? [{ name, options: objectOf(options) }] : []
  })
}

/** `redirects` of the redirects plugin: one path or several for each address. */
function redirectsIn(plugins: readonly Plugin[]): ReadonlyMap<string, string> {
  const given = plugins.filter(({ name }) => name.endsWith('client-redirects'))
  return new Map(
    given
      .flatMap(({ options }) => listOf(options['redirects']))
      .flatMap(({ from, to }) => {
        const target = textOf(to)
        const paths = [from ?? []].flat().filter((path) => typeof path === 'string')
        return target === undefined ? [] : paths.map((path) => [path, target] as const)
      }),
  )
}

/** Links of the navbar. A menu becomes its links. */
function linksOf(item: JsonObject, docsBase: string): readonly JsonObject[] {
  if (Array.isArray(item['items'])) return listOf(item['items']).flatMap((inner) => linksOf(inner, docsBase))
  const doc = textOf(item['docId'])
  const to = textOf(item['to'])
  const path = to !== undefined && !/^(\/|https?:)/.test(to) ? `/${to}` : to
  const target = doc === undefined ? (path ?? textOf(item['href'])) : `/${docsBase}/${doc}`.replace('//', '/')
  const sidebar = item['type'] === 'docSidebar' ? `/${docsBase}` : undefined
  const link = navLink(item['label'], target ?? sidebar)
  return link === null ? [] : [link]
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
