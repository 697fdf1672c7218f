import { posix } from 'node:path'
import { isJsonObject, type JsonObject } from '../domain/json.ts'
import type { Generator, Loss, PageTarget, SourceFiles, SourceSite } from './conversion.ts'
import { HUGO_TAGS, protectEscapedShortcodes } from './hugo-shortcodes.ts'
import { bareName, foldersOf, routeOf } from './page-route.ts'
import { defined, readToml, readYaml } from './source-config.ts'
import { splitSourcePage } from './source-front-matter.ts'

const CONFIG = /^(?:config\/_default\/)?(?:hugo|config)\.(toml|yaml|yml|json)$/
/** Sections that hold articles wherever people write them. */
const ARTICLES = /^(posts?|blog|news|articles?|notes?|journal)(\/|$)/i

/** Hugo: Markdown beneath `content`. */
export const hugo: Generator = {
  name: 'hugo',
  title: 'Hugo',
  detects: ({ paths }) =>
    paths.some((path) => CONFIG.test(path)) && paths.some((path) => path.startsWith('content/')),
  read,
  protectVerbatim: protectEscapedShortcodes,
  tags: HUGO_TAGS,
}

function read(files: SourceFiles): SourceSite {
  const { config, losses } = configOf(files)
  const languages = languagesOf(config)
  const pages = new Map<string, PageTarget>()
  const assets = new Map<string, string>()
  const contentRoot = sourceOf(files, config)
  const nameOf = (path: string) =>
    path.startsWith(contentRoot) ? path.slice(contentRoot.length) : path.slice('content/'.length)
  const bundles = new Set(
    files.paths.flatMap((path) => (path.endsWith('/index.md') ? [posix.dirname(nameOf(path))] : [])),
  )
  for (const path of files.paths) {
    if (path.startsWith('static/')) assets.set(path, path.slice('static/'.length))
    if (!path.startsWith('content/')) continue
    const name = nameOf(path)
    if (/\.(md|markdown)$/.test(name)) {
      const place = targetOf(name, files.text(path) ?? '', languages)
      const isPartOfBundle =
        !name.endsWith('/index.md') && foldersOf(name).some((folder) => bundles.has(folder))
      if (isPartOfBundle)
        losses.push({ file: path, line: null, what: 'It is a part of a page bundle, not a page.' })
      else pages.set(path, place)
    } else if (name.endsWith('.html')) losses.push({ file: path, line: null, what: 'It is a page in HTML.' })
    else assets.set(path, name)
  }
  for (const folder of ['layouts', 'data', 'i18n']) {
    const count = files.paths.filter((path) => path.startsWith(`${folder}/`)).length
    if (count > 0)
      losses.push({
        file: folder,
        line: null,
        what: `${count === 1 ? '1 file' : `${count} files`} of the theme or its data: left out.`,
      })
  }
  return {
    contentRoot,
    fields: siteFields(config),
    pages: markListings(pages),
    assets,
    order: new Map(),
    losses,
  }
}

/** The pages of the main language may lie in a folder of their own, and are served without its name. */
function sourceOf({ paths }: SourceFiles, { defaultContentLanguage }: JsonObject): string {
  const own = `content/${String(defaultContentLanguage ?? 'en')}/`
  return paths.some((path) => path.startsWith(own) && path.endsWith('.md')) ? own : 'content/'
}

/** An index of a folder of articles is a list, which is made by itself. */
function markListings(pages: ReadonlyMap<string, PageTarget>): ReadonlyMap<string, PageTarget> {
  const lists = new Set(
    [...pages.values()].flatMap(({ route, type }) => (type === 'article' ? [posix.dirname(route)] : [])),
  )
  return new Map(
    [...pages].map(([path, place]) => {
      const isList = place.type === 'docs' && /(^|\/)_index\.\w+$/.test(path) && lists.has(place.route)
      return [path, isList ? { ...place, type: 'list' } : place]
    }),
  )
}

interface Languages {
  readonly own: string
  /** Language tags by the names that the configuration calls them, without the site's own. */
  readonly others: ReadonlyMap<string, string>
}

function languagesOf({ defaultContentLanguage, languages }: JsonObject): Languages {
  const own = String(defaultContentLanguage ?? 'en').toLowerCase()
  const named = Object.entries(isJsonObject(languages) ? languages : {}).map(([name, fields]) => {
    const tag = isJsonObject(fields) ? (fields['languageCode'] ?? fields['locale']) : undefined
    return [name.toLowerCase(), typeof tag === 'string' ? tag : name] as const
  })
  return { own, others: new Map(named.filter(([name]) => name !== own)) }
}

/** `about.de.md` as `de/about.md`, which is where Hugo serves it. */
function inLanguage(name: string, { own, others }: Languages): { name: string; lang: string | undefined } {
  const [, bare = '', suffix = '', ending = ''] =
    /^(.*)\.([a-z]{2,3}(?:-[a-z0-9]+)*)(\.\w+)$/i.exec(name) ?? []
  const language = suffix.toLowerCase()
  if (others.has(language)) return { name: `${language}/${bare}${ending}`, lang: others.get(language) }
  if (suffix !== '' && language === own) return { name: `${bare}${ending}`, lang: undefined }
  return { name, lang: others.get(name.split('/')[0]?.toLowerCase() ?? '') }
}

function targetOf(path: string, text: string, languages: Languages): PageTarget {
  const { fields } = splitSourcePage(text)
  const { name, lang } = inLanguage(path, languages)
  const bare = bareName(name)
  const own = typeof fields['url'] === 'string' ? fields['url'] : null
  const slug = typeof fields['slug'] === 'string' ? fields['slug'] : null
  const named = slug === null || bare === '' ? bare : [...bare.split('/').slice(0, -1), slug].join('/')
  const isSection = /(^|\/)_index\.(md|markdown)$/.test(name)
  const isArticle =
    !isSection &&
    (ARTICLES.test(lang === undefined ? name : name.replace(/^[^/]*\//, '')) ||
      fields['date'] !== undefined) &&
    name.includes('/')
  const isFront = bare === '' || (lang !== undefined && !bare.includes('/') && isSection)
  return {
    route: routeOf(own ?? named),
    type: isFront ? 'page' : isArticle ? 'article' : 'docs',
    ...(lang !== undefined && { lang }),
  }
}

function configOf(files: SourceFiles): { config: JsonObject; losses: Loss[] } {
  const path = files.paths.find((name) => CONFIG.test(name)) ?? ''
  const text = files.text(path) ?? ''
  const read = path.endsWith('.toml') ? readToml(text) : readYaml(text)
  if (typeof read !== 'string') return { config: read, losses: configLosses(path, text, read) }
  return { config: {}, losses: [{ file: path, line: null, what: `It cannot be read: ${read}` }] }
}

/** Fields of the configuration that are carried over. */
const CARRIED = new Set([
  'title',
  'baseURL',
  'languageCode',
  'defaultContentLanguage',
  'languages',
  'menu',
  'menus',
  'params',
])
const REASONS: Readonly<Record<string, string>> = {
  permalinks: 'addresses follow folders and files, so those of a pattern change',
  taxonomies: 'there are no pages of tags; the tags themselves stayed in the pages’ config',
}

function configLosses(file: string, text: string, config: JsonObject): Loss[] {
  const lines = text.split('\n')
  const lineOf = (name: string) => {
    const key = new RegExp(`^\\s*(?:\\[+|["']?)${name}\\b`)
    const index = lines.findIndex((line) => key.test(line))
    return index === -1 ? null : index + 1
  }
  const lost = (name: string, why: string): Loss => ({ file, line: lineOf(name), what: `${name}: ${why}` })
  const menus = config['menus'] ?? config['menu']
  const params = Object.keys(isJsonObject(config['params']) ? config['params'] : {})
  const others = params.filter((name) => name !== 'description')
  return [
    ...Object.keys(config)
      .filter((name) => !CARRIED.has(name))
      .map((name) => lost(name, REASONS[name] ?? 'left out')),
    ...(isJsonObject(menus) ? Object.keys(menus) : [])
      .filter((name) => name !== 'main')
      .map((name) => ({ ...lost(name, 'left out'), what: `menu ${name}: left out` })),
    ...(others.length === 0 ? [] : [lost('params', `left out but for description: ${others.join(', ')}`)]),
    ...(config['languages'] === undefined
      ? []
      : [
          lost('languages', 'of each its tag and its pages stayed; titles and menus of its own are left out'),
        ]),
  ]
}

function siteFields(config: JsonObject): JsonObject {
  const params = isJsonObject(config['params']) ? config['params'] : {}
  const menus = config['menus'] ?? config['menu']
  const main = isJsonObject(menus) && Array.isArray(menus['main']) ? menus['main'] : []
  const links = main.filter(isJsonObject).flatMap((entry) => {
    const [label, href] = [entry['name'], entry['url'] ?? entry['pageRef']]
    return typeof label === 'string' && typeof href === 'string'
      ? [{ label, href, weight: Number(entry['weight'] ?? 0) }]
      : []
  })
  const lang = config['languageCode'] ?? config['defaultContentLanguage']
  return defined({
    name: config['title'],
    url:
      typeof config['baseURL'] === 'string' && /^https?:\/\//.test(config['baseURL'])
        ? config['baseURL']
        : undefined,
    meta_description: params['description'],
    nav_links:
      links.length === 0
        ? undefined
        : links.sort((a, b) => a.weight - b.weight).map(({ label, href }) => ({ label, href })),
    branding: typeof lang === 'string' && !/^en(-us)?$/i.test(lang) ? { lang } : undefined,
  })
}
