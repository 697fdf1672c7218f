import { posix } from 'node:path'
import { diagnostic } from '../domain/diagnostic.ts'
import { isJsonObject, type JsonObject } from '../domain/json.ts'
import { isPicture } from './asset-names.ts'
import type { Generator, PageTarget, SourceFiles, SourceSite } from './conversion.ts'
import { HUGO_CONFIG, hugoConfig, siteFields } from './hugo-config.ts'
import { hugoAddress } from './hugo-permalinks.ts'
import { type Cascades, cascadeOf, hiddenInHugo, withCascade } from './hugo-publication.ts'
import { HUGO_TAGS, protectEscapedShortcodes } from './hugo-shortcodes.ts'
import { bareName, foldersOf, routeOf } from './page-route.ts'
import { fenceHugoPairs } from './paired-code.ts'
import { folderLeftOut } from './source-files.ts'
import { splitSourcePage } from './source-front-matter.ts'

/** Names that people give to folders of articles. */
const ARTICLES = /^(posts?|blog|news|articles?|notes?|journal)(\/|$)/i

/** Hugo: Markdown in `content`. */
export const hugo: Generator = {
  name: 'hugo',
  title: 'Hugo',
  detects: ({ paths }) =>
    paths.some((path) => HUGO_CONFIG.test(path)) && paths.some((path) => path.startsWith('content/')),
  read,
  protectVerbatim: protectEscapedShortcodes,
  rewrite: (body, { report }) => fenceHugoPairs(body, report),
  tags: HUGO_TAGS,
}

function read(files: SourceFiles, now: Date): SourceSite {
  const { config, diagnostics } = hugoConfig(files)
  const languages = languagesOf(config)
  const pages = new Map<string, PageTarget>()
  const assets = new Map<string, string>()
  const contentRoot = contentRootOf(files, config)
  const nameOf = (path: string) =>
    path.startsWith(contentRoot) ? path.slice(contentRoot.length) : path.slice('content/'.length)
  const bundles = new Set(
    files.paths.flatMap((path) => (path.endsWith('/index.md') ? [posix.dirname(nameOf(path))] : [])),
  )
  const cascades = cascadesOf(files, nameOf, config)
  const leaveOut = (path: string, message: string) =>
    diagnostics.push(diagnostic('QN-NOT-CONVERTED', path, message))
  for (const path of files.paths) {
    if (path.startsWith('static/')) assets.set(path, path.slice('static/'.length))
    if (path.startsWith('assets/') && isPicture(path)) assets.set(path, path.slice('assets/'.length))
    if (!path.startsWith('content/')) continue
    const name = nameOf(path)
    if (/\.(md|markdown)$/.test(name)) {
      const isPartOfBundle =
        !name.endsWith('/index.md') && foldersOf(name).some((folder) => bundles.has(folder))
      if (isPartOfBundle) leaveOut(path, 'The file is part of a page bundle, not a page. It is left out.')
      else pages.set(path, targetOf(name, files.text(path) ?? '', { languages, cascades, config, now }))
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
    defaults: (path) => withCascade(nameOf(path), {}, cascades),
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

/** What the pages of each folder inherit, from its `_index` and from the configuration. */
function cascadesOf(files: SourceFiles, nameOf: (path: string) => string, config: JsonObject): Cascades {
  const indexes = files.paths.filter((path) => /^content\/(.*\/)?_index\.(md|markdown)$/.test(path))
  const own = new Map(
    indexes.map((path) => {
      const folder = posix.dirname(nameOf(path))
      const { fields } = splitSourcePage(files.text(path) ?? '')
      return [folder === '.' ? '' : folder, cascadeOf(fields)] as const
    }),
  )
  return own.set('', [...(own.get('') ?? []), ...cascadeOf(config)])
}

interface SiteContext {
  readonly languages: Languages
  readonly cascades: Cascades
  readonly config: JsonObject
  readonly now: Date
}

function targetOf(path: string, text: string, { languages, cascades, config, now }: SiteContext): PageTarget {
  const own = splitSourcePage(text).fields
  const fields = withCascade(path, own, cascades)
  const { name, lang } = inLanguage(path, languages)
  const bare = bareName(name)
  const url = typeof fields['url'] === 'string' ? fields['url'] : null
  const slug = typeof fields['slug'] === 'string' ? fields['slug'] : null
  const named = slug === null || bare === '' ? bare : [...bare.split('/').slice(0, -1), slug].join('/')
  const isSection = /(^|\/)_index\.(md|markdown)$/.test(name)
  const isArticle =
    !isSection &&
    (ARTICLES.test(lang === undefined ? name : name.replace(/^[^/]*\//, '')) ||
      fields['date'] !== undefined) &&
    name.includes('/')
  const isFront = bare === '' || (lang !== undefined && !bare.includes('/') && isSection)
  const hidden = hiddenInHugo(fields, config, now)
  const prefix = lang !== undefined && bare.includes('/') ? `${bare.split('/')[0]}/` : ''
  const pattern = hugoAddress(config['permalinks'], {
    bare: bare.slice(prefix.length),
    kind: isSection ? 'section' : 'page',
    fields,
  })
  const usual = `/${config['disablePathToLower'] === true ? named : named.toLowerCase()}`
  const isUgly = config['uglyURLs'] === true && !isSection && bare !== ''
  const subdir =
    config['defaultContentLanguageInSubdir'] === true && lang === undefined ? `/${languages.own}` : ''
  const original = url ?? (pattern === null ? null : `/${prefix}${pattern.slice(1)}`)
  return {
    route: routeOf(url ?? named),
    type: isFront ? 'page' : isArticle ? 'article' : 'docs',
    originalPath: posix.join('/', subdir, original ?? (isUgly ? `${usual}.html` : `${usual}/`)),
    ...(lang !== undefined && { lang }),
    ...(hidden !== undefined && { hidden }),
  }
}
