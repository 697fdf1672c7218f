import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { headingText } from '../../page-text/first-heading.ts'
import { fenceLiquidPairs } from '../body/paired-code.ts'
import { prefixOf } from '../config/configured-folder.ts'
import { MAX_SIDEBAR_DEPTH } from '../config/site-nav.ts'
import type { Generator, NavItem, PageTarget, SourceFiles, SourceSite } from '../conversion.ts'
import { isAsset } from '../files/asset-names.ts'
import { folderLeftOut } from '../files/source-files.ts'
import { matchesAnyGlob } from '../files/source-glob.ts'
import { permalinkOf } from '../jekyll/jekyll.ts'
import { LIQUID_TAGS, protectRawBlocks } from '../liquid/tags.ts'
import { fillValues } from '../liquid/values.ts'
import { bareName, routeOf } from '../page/page-route.ts'
import { splitSourcePage } from '../page/source-front-matter.ts'
import { programDiagnostics } from '../program/program-diagnostics.ts'
import { copiedTo, eleventyConfig } from './config.ts'
import { createInheritedData, eleventyAddress } from './data.ts'
import { eleventyLists } from './lists.ts'
import { eleventySiteData, eleventySiteFields } from './site-data.ts'

const MAX_TITLE = 500
const CONFIG = /^(?:\.eleventy|eleventy\.config)\.(?:c|m)?[jt]s$/
const ARTICLES = /(^|\/)(posts?|blog|news|articles?|notes?|journal)\//i
/** At the top of the site only: below it they are pages as all others. */
const NOT_PAGES = /^(README|LICENSE|CONTRIBUTING|CHANGELOG|CODE_OF_CONDUCT)\.md$/i
const TEMPLATE = /\.(njk|liquid|html|hbs|webc|11ty\.\w+)$/
const UNKNOWN_PERMALINK =
  'The permalink of the page is a program or prints unknown values, so no redirect leads from its address.'

/** Eleventy: Markdown in the input folder. The configuration is a program, which is not run. */
export const eleventy: Generator = {
  name: 'eleventy',
  title: 'Eleventy',
  detects: ({ paths }) => paths.some((path) => CONFIG.test(path)),
  read,
  feedGuid: (address) => address,
  protectVerbatim: protectRawBlocks,
  rewrite: (body, { site, fields, report }) =>
    fenceLiquidPairs(fillValues(body, { ...site.values, ...fields, page: fields }), report),
  tags: LIQUID_TAGS,
}

function read(files: SourceFiles): SourceSite {
  const config = files.paths.find((path) => CONFIG.test(path)) ?? ''
  const text = files.text(config) ?? ''
  const settings = eleventyConfig(text)
  const { input, output, includes, layouts, data } = settings.folders
  const contentRoot = prefixOf(input)
  const theme = [...new Set([includes, layouts, data])].filter((folder) => folder !== '' && folder !== input)
  const ignored = ignoredPatterns(files.text('.eleventyignore') ?? '')
  const pages = new Map<string, PageTarget>()
  const assets = new Map<string, string>()
  const unread = new Map<string, string>()
  const entries: NavEntry[] = []
  const message = 'The configuration is a program, which is not run. Only its folders are read.'
  const diagnostics: Diagnostic[] = [
    diagnostic('QN-PARTLY-CONVERTED', config, message),
    ...programDiagnostics(config, settings.skipped, 'The configuration is'),
  ]
  const site = eleventySiteData(files, prefixOf(data), diagnostics)
  const inherited = createInheritedData(files, contentRoot, diagnostics)
  for (const path of files.paths) {
    if (path.startsWith(prefixOf(output)) || theme.some((folder) => path.startsWith(prefixOf(folder))))
      continue
    const copied = path.endsWith('.md') ? null : copiedTo(path, settings)
    if (copied !== null) {
      assets.set(path, copied)
      continue
    }
    if (!path.startsWith(contentRoot)) {
      if (path.startsWith('public/') && isAsset(path)) assets.set(path, path.slice('public/'.length))
      continue
    }
    const name = path.slice(contentRoot.length)
    if (name.startsWith('_')) continue
    if (matchesAnyGlob(path, ignored)) {
      if (name.endsWith('.md'))
        diagnostics.push(
          diagnostic('QN-HIDDEN-PAGE', path, '`.eleventyignore` names the file. It is left out.'),
        )
    } else if (NOT_PAGES.test(name))
      diagnostics.push(
        diagnostic('QN-NOT-CONVERTED', path, 'The file describes the repository. It is left out.'),
      )
    else if (name.endsWith('.md')) {
      const own = splitSourcePage(files.text(path) ?? '').fields
      const fields = { ...inherited(path), ...own }
      const target = targetOf(name, fields)
      pages.set(path, target)
      entries.push(...navEntry(fields, target))
      if (target.originalPath === undefined && target.hidden === undefined)
        diagnostics.push(
          diagnostic('QN-MOVED-PAGE', path, UNKNOWN_PERMALINK, { line: 1, field: 'permalink' }),
        )
    } else if (TEMPLATE.test(name)) {
      const address = templateAddress(name, files.text(path) ?? '')
      if (address !== null) unread.set(path, address)
      diagnostics.push(diagnostic('QN-NOT-CONVERTED', path, 'Templates are not converted. Markdown is.'))
    } else if (isAsset(name)) assets.set(path, name.replace(/^public\//, ''))
  }
  const themes = theme.filter((folder) => !folder.startsWith(`${contentRoot}_`)).map(prefixOf)
  for (const prefix of [`${contentRoot}_`, ...themes])
    diagnostics.push(
      ...folderLeftOut(files, prefix, prefix.replace(/\/$/, '').replace(/_$/, '_*'), 'the theme or its data'),
    )
  return {
    contentRoot,
    fields: eleventySiteFields(site),
    pages,
    assets,
    unread,
    config,
    order: new Map(),
    nav: navOf(entries),
    lists: eleventyLists(files, contentRoot, text),
    defaults: (path) => withoutPatterns(inherited(path)),
    values: site,
    diagnostics,
  }
}

/** The address of a template that is a page. Null for one that makes files, lists or nothing. */
function templateAddress(name: string, text: string): string | null {
  const { permalink } = splitSourcePage(text).fields
  if (permalink === undefined) return `/${name.replace(TEMPLATE, '').replace(/(^|(?<=\/))index$/, '')}`
  return typeof permalink !== 'string' || /\{\{|\.(?!html$)\w+$/.test(permalink) ? null : permalink
}

function ignoredPatterns(text: string): readonly string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim().replace(/\/$/, ''))
  return lines.filter((line) => line !== '' && !line.startsWith('#')).flatMap((line) => [line, `${line}/**`])
}

/** Fields of a data file, without the ones for a whole folder. */
function withoutPatterns({ permalink: _, eleventyComputed: __, ...fields }: JsonObject): JsonObject {
  return fields
}

function targetOf(name: string, fields: JsonObject): PageTarget {
  // A page with the name of its folder is the index of the folder.
  const bare = bareName(name.replace(/(^|\/)\d{4}-\d{2}-\d{2}-([^/]+)$/, '$1$2')).replace(
    /(^|\/)([^/]+)\/\2$/,
    '$1$2',
  )
  const isIndex = /(^|\/)index\.md$/.test(name) && !ARTICLES.test(`${bare}/`.replace(/[^/]*\/$/, ''))
  const isArticle = !isIndex && (ARTICLES.test(name) || isPost(fields) || fields['date'] !== undefined)
  const originalPath = eleventyAddress({ name, fields })
  const isHidden = fields['permalink'] === false
  return {
    route: permalinkOf(fields) ?? routeOf(bare),
    type: bare === '' ? 'page' : isArticle ? 'article' : 'docs',
    ...(originalPath !== null && !isHidden && { originalPath }),
    ...(isHidden && { hidden: 'The page has no address: its permalink is false.' }),
  }
}

function isPost({ tags }: JsonObject): boolean {
  return [tags ?? []].flat().some((tag) => tag === 'post' || tag === 'posts')
}

interface NavEntry {
  readonly key: string
  readonly parent: string | null
  readonly order: number
  readonly title: string
  readonly route: string
}

/** The entry of the navigation plugin. */
function navEntry(
  { eleventyNavigation: given }: JsonObject,
  { route, type }: PageTarget,
): readonly NavEntry[] {
  if (type !== 'docs' || !isJsonObject(given) || typeof given['key'] !== 'string') return []
  const { key, parent, order, title } = given
  return [
    {
      key,
      route,
      parent: typeof parent === 'string' ? parent : null,
      order: Number(order ?? 0),
      title: titleText(typeof title === 'string' ? title : key),
    },
  ]
}

/** Titles of the navigation may have elements, such as icons. */
function titleText(given: string): string {
  return headingText(given.slice(0, MAX_TITLE)) || given
}

/** Entries below their parents. Those of an unknown parent are at the top. The first entry with a key is the parent. */
function navOf(entries: readonly NavEntry[]): readonly NavItem[] {
  const keys = new Set(entries.map(({ key }) => key))
  const byParent = new Map<string | null, NavEntry[]>()
  for (const entry of entries) {
    const parent = entry.parent !== null && keys.has(entry.parent) ? entry.parent : null
    const others = byParent.get(parent)
    if (others === undefined) byParent.set(parent, [entry])
    else others.push(entry)
  }
  const placed = new Set<string | null>()
  return below(null, 0)

  function below(parent: string | null, depth: number): readonly NavItem[] {
    if (placed.has(parent) || depth > MAX_SIDEBAR_DEPTH) return []
    placed.add(parent)
    return (byParent.get(parent) ?? [])
      .toSorted((one, other) => one.order - other.order)
      .map(({ key, title, route }) => ({ title, route, children: below(key, depth + 1) }))
  }
}
