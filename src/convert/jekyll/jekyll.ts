import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { fenceLiquidPairs } from '../body/paired-code.ts'
import { escapeTablePipes } from '../body/table-pipes.ts'
import { brandingOf } from '../config/config-values.ts'
import { prefixOf } from '../config/configured-folder.ts'
import { readDataFile } from '../config/data-file.ts'
import { defined } from '../config/source-config.ts'
import type { Generator, PageTarget, SourceFiles, SourceSite } from '../conversion.ts'
import { isAsset } from '../files/asset-names.ts'
import { folderLeftOut } from '../files/source-files.ts'
import { POSTS_LOOP, withoutLoops } from '../liquid/loops.ts'
import { LIQUID_TAGS, protectRawBlocks } from '../liquid/tags.ts'
import { dataFiles, fillValues } from '../liquid/values.ts'
import { bareName, routeOf } from '../page/page-route.ts'
import { hiddenByDate } from '../page/publication.ts'
import { splitSourcePage } from '../page/source-front-matter.ts'
import { configDiagnostics, isExcluded, isUnderscored } from './config.ts'
import { type JekyllFolders, jekyllFolders, withoutCollectionsFolder } from './folders.ts'
import { jekyllLists } from './lists.ts'
import { pageAddress, postAddress, postPattern } from './permalinks.ts'

const CONFIG = '_config.yml'
const POST = /^(?:(.*)\/)?_posts\/(?:.*\/)?(\d{4}-\d{1,2}-\d{1,2})-(.+)\.(md|markdown|html)$/
const DRAFT = /^(?:(.*)\/)?_drafts\/(.+)\.(?:md|markdown|html)$/
const PAGE = /\.(md|markdown)$/
/** At the top of the site only: below it they are pages as all others. */
const NOT_PAGES = /^(README|LICENSE|CONTRIBUTING|CHANGELOG|CODE_OF_CONDUCT)\.(md|markdown)$/i

/** Jekyll: posts in `_posts`, other pages in any folder. */
export const jekyll: Generator = {
  name: 'jekyll',
  title: 'Jekyll',
  detects: ({ paths }) => paths.includes(CONFIG),
  read,
  feedGuid: postId,
  fieldsOf: jekyllFields,
  protectVerbatim: protectRawBlocks,
  rewrite: (body, { site, fields, report }) =>
    fenceLiquidPairs(
      fillValues(withoutLoops(withPipes(body, site), report), { ...site.values, page: fields }),
      report,
    ),
  tags: LIQUID_TAGS,
}

function read(files: SourceFiles, now: Date): SourceSite {
  const diagnostics: Diagnostic[] = []
  const fields = readDataFile(files, CONFIG, diagnostics, 'The configuration')
  const collections = isJsonObject(fields['collections']) ? fields['collections'] : {}
  const folders = jekyllFolders(files, fields, diagnostics)
  const pages = new Map<string, PageTarget>()
  const assets = new Map<string, string>()
  const excluded: string[] = []
  for (const path of files.paths) {
    const name = folders.nameOf(path)
    if (path === CONFIG || name === null) continue
    if (isExcluded(name, fields)) {
      if (PAGE.test(path)) excluded.push(path)
      continue
    }
    if (folders.theme.some((folder) => path.startsWith(`${folder}/`))) continue
    if (PAGE.test(path) && NOT_PAGES.test(name))
      diagnostics.push(
        diagnostic('QN-NOT-CONVERTED', path, 'The file describes the repository. It is left out.'),
      )
    const target = targetOf(name, files.text(path) ?? '', { config: fields, collections, now })
    if (target !== null) pages.set(path, listingPosts(target, files.text(path) ?? ''))
    else if (isAsset(name) && !isUnderscored(name, fields)) assets.set(path, name)
    else if (name.endsWith('.html') && !isUnderscored(name, fields)) assets.set(path, name)
  }
  for (const folder of folders.theme)
    diagnostics.push(...folderLeftOut(files, `${folder}/`, folder, 'the theme or its data'))
  diagnostics.push(...configDiagnostics(fields), ...unredirectedPosts(files, folders, pages))
  diagnostics.push(
    ...excluded.map((path) =>
      diagnostic('QN-HIDDEN-PAGE', path, '`exclude` of the configuration names the file. It is left out.'),
    ),
  )
  const lang = fields['lang'] ?? fields['locale']
  const base = `${fields['url'] ?? ''}${fields['baseurl'] ?? ''}`
  return {
    contentRoot: folders.root,
    fields: defined({
      name: fields['title'],
      url: /^https?:\/\//.test(base) ? base : undefined,
      meta_description: fields['description'],
      branding: brandingOf(lang),
    }),
    pages,
    assets,
    order: new Map(),
    lists: jekyllLists(fields),
    config: CONFIG,
    drawsDashes: /^kramdown/i.test(String(fields['markdown'] ?? 'kramdown')),
    defaults: (path) => defaultsOf(folders.nameOf(path) ?? path, fields),
    overrides: () => (fields['unpublished'] === true ? { published: true } : {}),
    values: { site: { ...fields, data: dataFiles(files, prefixOf(folders.data), diagnostics) } },
    diagnostics,
  }
}

/** Other Markdown than kramdown is that of GitHub. */
function withPipes(body: string, { drawsDashes }: SourceSite): string {
  return drawsDashes === true ? escapeTablePipes(body) : body
}

/** The id of a post in the feed plugin: its address without an ending or a trailing slash. */
function postId(address: string): string {
  return address.replace(/\/$/, '').replace(/\.\w+$/, '')
}

/** Jekyll reads a text of tags or categories as words. */
function jekyllFields(fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      /^(tags|categories)$/.test(name) && typeof value === 'string'
        ? value.split(/\s+/).filter((word) => word !== '')
        : value,
    ]),
  )
}

/** A page whose layout or text lists the posts. */
function listingPosts(target: PageTarget, text: string): PageTarget {
  if (target.type === 'article') return target
  const { layout } = splitSourcePage(text).fields
  const isHome = target.route === '' && /^(home|blog|posts)$/.test(String(layout))
  return isHome || POSTS_LOOP.test(text) ? { ...target, type: 'page', lists: 'blog' } : target
}

/** Posts whose permalink pattern is unknown. They move without a redirect. Reported where the pattern is written. */
function unredirectedPosts(
  files: SourceFiles,
  { nameOf }: JekyllFolders,
  pages: ReadonlyMap<string, PageTarget>,
): readonly Diagnostic[] {
  const moved = [...pages].flatMap(([file, { route, originalPath }]) => {
    if (!POST.test(nameOf(file) ?? '') || originalPath !== undefined) return []
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
function defaultsOf(path: string, config: JsonObject): JsonObject {
  const given = config['defaults']
  const scoped = Array.isArray(given) ? given.filter(isJsonObject) : []
  const matching = scoped.filter(({ scope }) => !isJsonObject(scope) || isWithin(path, scope, config))
  return Object.assign({}, ...matching.map(({ values }) => (isJsonObject(values) ? values : {})))
}

function isWithin(path: string, { path: scope, type }: JsonObject, config: JsonObject): boolean {
  const folder = withoutCollectionsFolder(typeof scope === 'string' ? scope.replace(/\/$/, '') : '', config)
  const isInFolder = folder === '' || path === folder || path.startsWith(`${folder}/`)
  const kind = POST.test(path) ? 'posts' : (/^_([^/]+)\//.exec(path)?.[1] ?? 'pages')
  return isInFolder && (type === undefined || type === '' || type === kind)
}

/** The configuration and the time, which decide the published pages. */
interface SiteContext {
  readonly config: JsonObject
  readonly collections: JsonObject
  readonly now: Date
}

/** @param path of the file below the source, without the folder of the collections. */
function targetOf(path: string, text: string, { config, collections, now }: SiteContext): PageTarget | null {
  // Jekyll serves other HTML as it is.
  if (!PAGE.test(path) && !(path.endsWith('.html') && /^---[ \t]*\r?\n/.test(text))) return null
  const own = splitSourcePage(text).fields
  const fields = { ...defaultsOf(path, config), ...own }
  const route = permalinkOf(own)
  const [, folder = '', date = '', name = ''] = POST.exec(path) ?? []
  const [, draftFolder = '', draft = ''] = DRAFT.exec(path) ?? []
  if (name !== '' || draft !== '') {
    const pattern = fields['permalink'] ?? postPattern(config) ?? 'date'
    const originalPath = name === '' ? null : postAddress(pattern, { folder, date, name }, fields)
    const isShown = draft === '' || config['show_drafts'] === true
    const hidden = isShown ? futurePost({ date, ...fields }, config, now) : 'It is in `_drafts`.'
    return {
      route: route ?? routeOf(name === '' ? `${draftFolder}/blog/${draft}` : `${folder}/blog/${name}`),
      type: 'article',
      ...(route === null && originalPath !== null && { originalPath }),
      ...(hidden !== undefined && { hidden }),
    }
  }
  const collection = Object.keys(collections).find((each) => path.startsWith(`_${each}/`))
  if (collection === undefined && (isUnderscored(path, config) || NOT_PAGES.test(path))) return null
  const bare = bareName(path.replace(/^_/, ''))
  const options = collection === undefined ? null : collections[collection]
  const isOutput = collection === undefined || (isJsonObject(options) && options['output'] === true)
  const pattern = isJsonObject(options) ? (options['permalink'] ?? config['permalink']) : config['permalink']
  const originalPath = pageAddress(
    own['permalink'] === undefined ? (fields['permalink'] ?? pattern) : own['permalink'],
    {
      collection: collection ?? '',
      bare: path
        .slice(collection === undefined ? 0 : collection.length + 2)
        .replace(/\.(md|markdown|html)$/, ''),
      fields,
    },
  )
  return {
    route: route ?? routeOf(bare),
    type: bare === '' ? 'page' : 'docs',
    ...(route === null && originalPath !== null && { originalPath }),
    ...(!isOutput && {
      hidden: `The collection \`${collection}\` has no pages of its own: \`output\` is not set.`,
    }),
  }
}

function futurePost(fields: JsonObject, { future }: JsonObject, now: Date): string | undefined {
  return future === true ? undefined : hiddenByDate(fields, now, { starts: ['date'] })
}

/** The route of a literal `permalink`. Null without one, and for a pattern. */
export function permalinkOf({ permalink }: JsonObject): string | null {
  if (typeof permalink !== 'string' || /[:{]/.test(permalink)) return null
  return routeOf(permalink.replace(/(index)?\.html$/, ''))
}
