import { posix } from 'node:path'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import type { DiagnosticCode } from '../domain/diagnostic-codes.ts'
import { isJsonObject, type JsonObject } from '../domain/json.ts'
import type { Generator, PageTarget, SourceFiles, SourceSite } from './conversion.ts'
import { HUGO_TAGS, protectEscapedShortcodes } from './hugo-shortcodes.ts'
import { bareName, foldersOf, routeOf } from './page-route.ts'
import { defined, readToml, readYaml } from './source-config.ts'
import { folderLeftOut } from './source-files.ts'
import { splitSourcePage } from './source-front-matter.ts'

const CONFIG = /^(?:config\/_default\/)?(?:hugo|config)\.(toml|yaml|yml|json)$/
/** Names that people give to folders of articles. */
const ARTICLES = /^(posts?|blog|news|articles?|notes?|journal)(\/|$)/i

/** Hugo: Markdown in `content`. */
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
  const { config, diagnostics } = configOf(files)
  const languages = languagesOf(config)
  const pages = new Map<string, PageTarget>()
  const assets = new Map<string, string>()
  const contentRoot = contentRootOf(files, config)
  const nameOf = (path: string) =>
    path.startsWith(contentRoot) ? path.slice(contentRoot.length) : path.slice('content/'.length)
  const bundles = new Set(
    files.paths.flatMap((path) => (path.endsWith('/index.md') ? [posix.dirname(nameOf(path))] : [])),
  )
  const leaveOut = (path: string, message: string) =>
    diagnostics.push(diagnostic('QN-NOT-CONVERTED', path, message))
  for (const path of files.paths) {
    if (path.startsWith('static/')) assets.set(path, path.slice('static/'.length))
    if (!path.startsWith('content/')) continue
    const name = nameOf(path)
    if (/\.(md|markdown)$/.test(name)) {
      const isPartOfBundle =
        !name.endsWith('/index.md') && foldersOf(name).some((folder) => bundles.has(folder))
      if (isPartOfBundle) leaveOut(path, 'The file is part of a page bundle, not a page. It is left out.')
      else pages.set(path, targetOf(name, files.text(path) ?? '', languages))
    } else if (name.endsWith('.html')) leaveOut(path, 'Pages in HTML are not converted.')
    else assets.set(path, name)
  }
  for (const folder of ['layouts', 'data', 'i18n'])
    diagnostics.push(...folderLeftOut(files, `${folder}/`, folder, 'the theme or its data'))
  return {
    contentRoot,
    fields: siteFields(config),
    pages: markListings(pages),
    assets,
    order: new Map(),
    diagnostics,
  }
}

/** Pages of the main language may have a folder of their own. Hugo serves them without its name. */
function contentRootOf({ paths }: SourceFiles, { defaultContentLanguage }: JsonObject): string {
  const own = `content/${String(defaultContentLanguage ?? 'en')}/`
  return paths.some((path) => path.startsWith(own) && path.endsWith('.md')) ? own : 'content/'
}

/** Marks the indexes of folders of articles as lists, which are generated. */
function markListings(pages: ReadonlyMap<string, PageTarget>): ReadonlyMap<string, PageTarget> {
  const lists = new Set(
    [...pages.values()].flatMap(({ route, type }) => (type === 'article' ? [posix.dirname(route)] : [])),
  )
  return new Map(
    [...pages].map(([path, target]) => {
      const isList = target.type === 'docs' && /(^|\/)_index\.\w+$/.test(path) && lists.has(target.route)
      return [path, isList ? { ...target, type: 'list' } : target]
    }),
  )
}

interface Languages {
  /** The main language, in lower case. */
  readonly own: string
  /** The tags of the other languages, by their names in the configuration. */
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

/** Maps `about.de.md` to `de/about.md`, where Hugo serves it. */
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

function configOf(files: SourceFiles): { config: JsonObject; diagnostics: Diagnostic[] } {
  const path = files.paths.find((name) => CONFIG.test(name)) ?? ''
  const text = files.text(path) ?? ''
  const read = path.endsWith('.toml') ? readToml(text) : readYaml(text)
  if (typeof read !== 'string') return { config: read, diagnostics: configDiagnostics(path, text, read) }
  const message = `The configuration cannot be read: ${read}`
  return { config: {}, diagnostics: [diagnostic('QN-SOURCE-UNREADABLE', path, message)] }
}

/** Fields of the configuration that are converted. */
const CONVERTED = new Set([
  'title',
  'baseURL',
  'languageCode',
  'defaultContentLanguage',
  'languages',
  'menu',
  'menus',
  'params',
])
const PERMALINKS =
  '`permalinks` is left out: paths follow folders and file names. Pages whose path came from a pattern move.'
const TAXONOMIES = 'Pages of tags are not generated. Each page keeps its tags in `config`.'

function configDiagnostics(file: string, text: string, config: JsonObject): Diagnostic[] {
  const lines = text.split('\n')
  const lineOf = (name: string) => {
    const key = new RegExp(`^\\s*(?:\\[+|["']?)${name}\\b`)
    const index = lines.findIndex((line) => key.test(line))
    return index === -1 ? null : index + 1
  }
  const at = (name: string, code: DiagnosticCode, message: string) =>
    diagnostic(code, file, message, { line: lineOf(name), field: name })
  const menus = config['menus'] ?? config['menu']
  const params = Object.keys(isJsonObject(config['params']) ? config['params'] : {})
  const otherParams = params.filter((name) => name !== 'description').map((name) => `\`${name}\``)
  const languages = 'Language tags and pages are converted. Titles and menus of each language are left out.'
  return [
    ...Object.keys(config)
      .filter((name) => !CONVERTED.has(name))
      .map((name) =>
        name === 'permalinks'
          ? at(name, 'QN-MOVED-PAGE', PERMALINKS)
          : at(name, 'QN-NOT-CONVERTED', name === 'taxonomies' ? TAXONOMIES : `\`${name}\` is left out.`),
      ),
    ...(isJsonObject(menus) ? Object.keys(menus) : [])
      .filter((name) => name !== 'main')
      .map((name) =>
        at(name, 'QN-NOT-CONVERTED', `The menu \`${name}\` is left out. Only \`main\` is converted.`),
      ),
    ...(otherParams.length === 0
      ? []
      : [
          at(
            'params',
            'QN-PARTLY-CONVERTED',
            `Only \`description\` of \`params\` is converted. Left out: ${otherParams.join(', ')}.`,
          ),
        ]),
    ...(config['languages'] === undefined ? [] : [at('languages', 'QN-PARTLY-CONVERTED', languages)]),
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
