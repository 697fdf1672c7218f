import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import type { Generator, Loss, PageTarget, SourceFiles, SourceSite } from './conversion.ts'
import { postAddress, postPattern } from './jekyll-permalinks.ts'
import { LIQUID_TAGS, protectRawBlocks } from './liquid.ts'
import { bareName, routeOf } from './page-route.ts'
import { defined, readYaml } from './source-config.ts'
import { splitSourcePage } from './source-front-matter.ts'

const CONFIG = '_config.yml'
const POST = /^(?:(.*)\/)?_posts\/(?:.*\/)?(\d{4}-\d{1,2}-\d{1,2})-(.+)\.(md|markdown)$/
const PAGE = /\.(md|markdown)$/
const ASSET = /\.(png|jpe?g|gif|svg|webp|avif|ico|pdf|mp4|webm|woff2?|txt|zip)$/i
const NOT_PAGES = /(^|\/)(README|LICENSE|CONTRIBUTING|CHANGELOG|CODE_OF_CONDUCT)\.(md|markdown)$/i

/** What of the configuration is carried over. */
const CARRIED = new Set([
  ...['title', 'description', 'url', 'baseurl', 'lang', 'locale', 'defaults', 'collections', 'permalink'],
])
/** What only says how the former site was made. */
const BUILD_OPTIONS = new Set([
  ...['markdown', 'kramdown', 'highlighter', 'sass', 'liquid', 'plugins', 'plugins_dir', 'gems', 'whitelist'],
  ...[
    'include',
    'exclude',
    'keep_files',
    'source',
    'destination',
    'theme',
    'remote_theme',
    'encoding',
    'safe',
  ],
  ...['port', 'host', 'livereload', 'incremental', 'future', 'unpublished', 'show_drafts', 'limit_posts'],
  ...['timezone', 'repository', 'github', 'compress_html', 'profile', 'strict_front_matter', 'layouts_dir'],
])

/** Jekyll: posts in `_posts`, other Markdown wherever it lies. */
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
  const losses: Loss[] =
    typeof config === 'string' ? [{ file: CONFIG, line: null, what: `It cannot be read: ${config}` }] : []
  const fields = typeof config === 'string' ? {} : config
  const collections = fields['collections']
  const folders = isJsonObject(collections) ? Object.keys(collections) : []
  const pages = new Map<string, PageTarget>()
  const assets = new Map<string, string>()
  for (const path of files.paths) {
    const place = targetOf(path, files, folders, fields)
    if (place !== null) pages.set(path, place)
    else if (ASSET.test(path) && !path.startsWith('_')) assets.set(path, path)
    else if (/\.html$/.test(path) && !path.startsWith('_'))
      losses.push({ file: path, line: null, what: 'It is a page in HTML.' })
  }
  for (const folder of ['_layouts', '_includes', '_data', '_sass', '_drafts']) {
    const count = files.paths.filter((path) => path.startsWith(`${folder}/`)).length
    if (count > 0)
      losses.push({
        file: folder,
        line: null,
        what: `${count === 1 ? '1 file' : `${count} files`} of the theme, its data, or drafts: left out.`,
      })
  }
  const left = Object.keys(fields).filter((name) => !CARRIED.has(name) && !BUILD_OPTIONS.has(name))
  if (left.length > 0)
    losses.push({ file: CONFIG, line: null, what: `Left out: ${left.toSorted().join(', ')}.` })
  const patterns = Object.entries(isJsonObject(collections) ? collections : {}).flatMap(([name, each]) =>
    name !== 'posts' && isJsonObject(each) && each['permalink'] !== undefined ? [name] : [],
  )
  for (const name of patterns)
    losses.push({
      file: CONFIG,
      line: null,
      what: `permalink of ${name}: addresses follow folders and files, so those of a pattern change`,
    })
  losses.push(...unredirectedPosts(files, pages))
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
    losses,
  }
}

/** Posts that a pattern gave an address which is not known here, told where the pattern stands. */
function unredirectedPosts(files: SourceFiles, pages: ReadonlyMap<string, PageTarget>): readonly Loss[] {
  const moved = [...pages].flatMap(([file, { route, originalPath }]) => {
    if (!POST.test(file) || originalPath !== undefined) return []
    const { fields } = splitSourcePage(files.text(file) ?? '')
    const hasOwn = typeof fields['permalink'] === 'string'
    return permalinkOf(fields) === null ? [{ file, route, hasOwn }] : []
  })
  const own = moved.filter(({ hasOwn }) => hasOwn)
  return [
    ...own.map(({ file, route }) => ({
      file,
      line: 1,
      what: `permalink: the page is at /${route}, and nothing leads there from where this pattern had it`,
    })),
    ...(moved.length === own.length
      ? []
      : [
          {
            file: CONFIG,
            line: null,
            what: 'permalink: posts lie beneath /blog, and nothing leads there from where a pattern of this kind had them',
          },
        ]),
  ]
}

/** Those of the scopes that a file lies in; a later one wins, as a narrower one mostly comes later. */
function defaultsOf(path: string, given: JsonValue | undefined): JsonObject {
  const scoped = Array.isArray(given) ? given.filter(isJsonObject) : []
  const of = scoped.filter(({ scope }) => !isJsonObject(scope) || isWithin(path, scope))
  return Object.assign({}, ...of.map(({ values }) => (isJsonObject(values) ? values : {})))
}

function isWithin(path: string, { path: beneath, type }: JsonObject): boolean {
  const folder = typeof beneath === 'string' ? beneath.replace(/\/$/, '') : ''
  const isBeneath = folder === '' || path === folder || path.startsWith(`${folder}/`)
  const kind = POST.test(path) ? 'posts' : (/^_([^/]+)\//.exec(path)?.[1] ?? 'pages')
  return isBeneath && (type === undefined || type === '' || type === kind)
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

/** Null for none, and for one that is made from other fields. */
export function permalinkOf({ permalink }: JsonObject): string | null {
  if (typeof permalink !== 'string' || /[:{]/.test(permalink)) return null
  return routeOf(permalink.replace(/(index)?\.html$/, ''))
}
