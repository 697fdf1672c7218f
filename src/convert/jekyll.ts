import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import type { Generator, PageTarget, SourceFiles, SourceSite } from './conversion.ts'
import { postAddress, postPattern } from './jekyll-permalinks.ts'
import { LIQUID_TAGS, protectRawBlocks } from './liquid.ts'
import { bareName, routeOf } from './page-route.ts'
import { defined, readYaml } from './source-config.ts'
import { folderLeftOut } from './source-files.ts'
import { splitSourcePage } from './source-front-matter.ts'

const CONFIG = '_config.yml'
const POST = /^(?:(.*)\/)?_posts\/(?:.*\/)?(\d{4}-\d{1,2}-\d{1,2})-(.+)\.(md|markdown)$/
const PAGE = /\.(md|markdown)$/
const ASSET = /\.(png|jpe?g|gif|svg|webp|avif|ico|pdf|mp4|webm|woff2?|txt|zip)$/i
const NOT_PAGES = /(^|\/)(README|LICENSE|CONTRIBUTING|CHANGELOG|CODE_OF_CONDUCT)\.(md|markdown)$/i

/** Fields of the configuration that are converted. */
const CONVERTED = new Set([
  'title',
  'description',
  'url',
  'baseurl',
  'lang',
  'locale',
  'defaults',
  'collections',
  'permalink',
])
/** Fields of the configuration that only control the build. They are left out without a report. */
const BUILD_OPTIONS = new Set([
  'markdown',
  'kramdown',
  'highlighter',
  'sass',
  'liquid',
  'plugins',
  'plugins_dir',
  'gems',
  'whitelist',
  'include',
  'exclude',
  'keep_files',
  'source',
  'destination',
  'theme',
  'remote_theme',
  'encoding',
  'safe',
  'port',
  'host',
  'livereload',
  'incremental',
  'future',
  'unpublished',
  'show_drafts',
  'limit_posts',
  'timezone',
  'repository',
  'github',
  'compress_html',
  'profile',
  'strict_front_matter',
  'layouts_dir',
])

/** Jekyll: posts in `_posts`, other pages in any folder. */
export const jekyll: Generator = {
  name: 'jekyll',
  title: 'Jekyll',
  detects: ({ paths }) => paths.includes(CONFIG),
  read,
  protectVerbatim: protectRawBlocks,
  tags: LIQUID_TAGS,
}

function read(files: SourceFiles): SourceSite {
  const config = readYaml(files.text(CONFIG) ?? '')
  const fields = typeof config === 'string' ? {} : config
  const collections = isJsonObject(fields['collections']) ? fields['collections'] : {}
  const diagnostics: Diagnostic[] = []
  if (typeof config === 'string')
    diagnostics.push(
      diagnostic('QN-SOURCE-UNREADABLE', CONFIG, `The configuration cannot be read: ${config}`),
    )
  const pages = new Map<string, PageTarget>()
  const assets = new Map<string, string>()
  for (const path of files.paths) {
    const target = targetOf(path, files, Object.keys(collections), fields)
    if (target !== null) pages.set(path, target)
    else if (ASSET.test(path) && !path.startsWith('_')) assets.set(path, path)
    else if (/\.html$/.test(path) && !path.startsWith('_'))
      diagnostics.push(diagnostic('QN-NOT-CONVERTED', path, 'Pages in HTML are not converted.'))
  }
  for (const folder of ['_layouts', '_includes', '_data', '_sass', '_drafts'])
    diagnostics.push(...folderLeftOut(files, `${folder}/`, folder, 'the theme, its data or drafts'))
  diagnostics.push(...configDiagnostics(fields, collections), ...unredirectedPosts(files, pages))
  const lang = fields['lang'] ?? fields['locale']
  const base = `${fields['url'] ?? ''}${fields['baseurl'] ?? ''}`
  return {
    contentRoot: '',
    fields: defined({
      name: fields['title'],
      url: /^https?:\/\//.test(base) ? base : undefined,
      meta_description: fields['description'],
      branding: typeof lang === 'string' && !/^en(-us)?$/i.test(lang) ? { lang } : undefined,
    }),
    pages,
    assets,
    order: new Map(),
    defaults: (path) => defaultsOf(path, fields['defaults']),
    diagnostics,
  }
}

function configDiagnostics(fields: JsonObject, collections: JsonObject): readonly Diagnostic[] {
  const others = Object.keys(fields).filter((name) => !CONVERTED.has(name) && !BUILD_OPTIONS.has(name))
  const leftOut = others.toSorted().map((name) => `\`${name}\``)
  const patterns = Object.entries(collections).flatMap(([name, collection]) =>
    name !== 'posts' && isJsonObject(collection) && collection['permalink'] !== undefined ? [name] : [],
  )
  return [
    ...(leftOut.length === 0
      ? []
      : [diagnostic('QN-NOT-CONVERTED', CONFIG, `Left out: ${leftOut.join(', ')}.`)]),
    ...patterns.map((name) =>
      diagnostic(
        'QN-MOVED-PAGE',
        CONFIG,
        `\`permalink\` of the collection \`${name}\` is left out: paths follow folders and file names, so its pages move.`,
        { field: `collections.${name}.permalink` },
      ),
    ),
  ]
}

/** Posts whose permalink pattern is unknown. They move without a redirect. Reported where the pattern is written. */
function unredirectedPosts(
  files: SourceFiles,
  pages: ReadonlyMap<string, PageTarget>,
): readonly Diagnostic[] {
  const moved = [...pages].flatMap(([file, { route, originalPath }]) => {
    if (!POST.test(file) || originalPath !== undefined) return []
    const { fields } = splitSourcePage(files.text(file) ?? '')
    const hasOwnPattern = typeof fields['permalink'] === 'string'
    return permalinkOf(fields) === null ? [{ file, route, hasOwnPattern }] : []
  })
  const own = moved.filter(({ hasOwnPattern }) => hasOwnPattern)
  const all = 'Posts move to /blog. Their `permalink` pattern is unknown, so no redirects lead to them.'
  return [
    ...own.map(({ file, route }) =>
      diagnostic(
        'QN-MOVED-PAGE',
        file,
        `The page moves to /${route}. Its \`permalink\` pattern is unknown, so no redirect leads to it.`,
        { line: 1, field: 'permalink' },
      ),
    ),
    ...(moved.length === own.length
      ? []
      : [diagnostic('QN-MOVED-PAGE', CONFIG, all, { field: 'permalink' })]),
  ]
}

/** Values of the scopes that contain a file. The last scope wins, since narrower ones usually come later. */
function defaultsOf(path: string, given: JsonValue | undefined): JsonObject {
  const scoped = Array.isArray(given) ? given.filter(isJsonObject) : []
  const matching = scoped.filter(({ scope }) => !isJsonObject(scope) || isWithin(path, scope))
  return Object.assign({}, ...matching.map(({ values }) => (isJsonObject(values) ? values : {})))
}

function isWithin(path: string, { path: scope, type }: JsonObject): boolean {
  const folder = typeof scope === 'string' ? scope.replace(/\/$/, '') : ''
  const isInFolder = folder === '' || path === folder || path.startsWith(`${folder}/`)
  const kind = POST.test(path) ? 'posts' : (/^_([^/]+)\//.exec(path)?.[1] ?? 'pages')
  return isInFolder && (type === undefined || type === '' || type === kind)
}

function targetOf(
  path: string,
  files: SourceFiles,
  collections: readonly string[],
  config: JsonObject,
): PageTarget | null {
  if (!PAGE.test(path)) return null
  const { fields } = splitSourcePage(files.text(path) ?? '')
  const own = permalinkOf(fields)
  const [, folder = '', date = '', name = ''] = POST.exec(path) ?? []
  if (name !== '') {
    if (own !== null) return { route: own, type: 'article' }
    const all = { ...defaultsOf(path, config['defaults']), ...fields }
    const originalPath = postAddress(
      all['permalink'] ?? postPattern(config) ?? 'date',
      { folder, date, name },
      all,
    )
    return {
      route: routeOf(`${folder}/blog/${name}`),
      type: 'article',
      ...(originalPath !== null && { originalPath }),
    }
  }
  const collection = collections.find((each) => path.startsWith(`_${each}/`))
  if (path.startsWith('_') && collection === undefined) return null
  if (NOT_PAGES.test(path)) return null
  const bare = bareName(path.replace(/^_/, ''))
  return { route: own ?? routeOf(bare), type: bare === '' ? 'page' : 'docs' }
}

/** The route of a literal `permalink`. Null without one, and for a pattern. */
export function permalinkOf({ permalink }: JsonObject): string | null {
  if (typeof permalink !== 'string' || /[:{]/.test(permalink)) return null
  return routeOf(permalink.replace(/(index)?\.html$/, ''))
}
