import { posix } from 'node:path'
import { stringify } from 'yaml'
import { readAsset } from '../content-folder/asset-file.ts'
import type { JsonObject } from '../domain/json.ts'
import { readSiteUrl } from '../domain/site-url.ts'
import { humanised } from '../page-text/humanise.ts'
import { mapLinks } from '../page-text/map-links.ts'
import { breaksIn, mapProse } from '../page-text/map-prose.ts'
import { writeFrontMatter } from '../page-text/write-front-matter.ts'
import type {
  Generator,
  GeneratorName,
  Loss,
  PageTarget,
  SourceFiles,
  SourceSite,
  TagContext,
  TemplateTag,
} from './conversion.ts'
import { eleventy } from './eleventy.ts'
import { fenceCode } from './fenced-code.ts'
import { hugo } from './hugo.ts'
import { jekyll } from './jekyll.ts'
import { createResolver } from './link-resolver.ts'
import { markdown } from './markdown.ts'
import { convertFields } from './page-fields.ts'
import { foldersOf } from './page-route.ts'
import { redirectsOf } from './redirects.ts'
import { type SourcePage, splitSourcePage } from './source-front-matter.ts'
import { vitepress } from './vitepress.ts'
import { homeSections } from './vitepress-home.ts'

const ALL_GENERATORS: readonly Generator[] = [vitepress, hugo, eleventy, jekyll, markdown]

/** A site of another generator, as the files of a content folder. */
export interface Conversion {
  readonly from: Generator
  /** Texts to be written, by path in the new folder. */
  readonly texts: ReadonlyMap<string, string>
  /** Files to be copied as they are: from the path in the former folder, by path in the new one. */
  readonly copies: ReadonlyMap<string, string>
  /** What could not be carried over, by file and line. */
  readonly losses: readonly Loss[]
}

/** The generator of this name, or the one whose site these files are; null when there is none. */
export function detectGenerator(files: SourceFiles, name: GeneratorName | null): Generator | null {
  return (
    ALL_GENERATORS.find((generator) =>
      name === null ? generator.detects(files) : generator.name === name,
    ) ?? null
  )
}

/** @param name of the site, where its configuration says none. */
export function convertSite(files: SourceFiles, from: Generator, name: string): Conversion {
  const site = from.read(files)
  const url = readSiteUrl(String(site.fields['url'] ?? ''))
  const base = url === null ? '/' : new URL(url).pathname.replace(/\/$/, '') || '/'
  const { served, lost } = assetPaths(site)
  const resolve = createResolver(site, served, base)
  const texts = new Map([['site.yaml', siteFile(site, name)]])
  const losses = [...site.losses, ...lost]
  const folders = new Set([...site.pages.values()].flatMap(({ route }) => foldersOf(route)))
  const addresses = new Set<string>()
  /** By the name of a field that nothing reads. */
  const pagesWith = new Map<string, string[]>()
  const taken = new Set([
    ...[...site.pages.values()].map(({ route }) => `/${route}`),
    ...[...served.values()].map((at) => `/${at}`),
  ])

  for (const [path, place] of [...site.pages].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (place.type === 'list') {
      const what = `The list of articles at /${place.route} is made by itself; what this file says of it is left out.`
      losses.push({ file: path, line: null, what })
      continue
    }
    const written = files.text(path)
    if (written === null) {
      losses.push({ file: path, line: null, what: 'It is larger than 5 MiB.' })
      continue
    }
    if (addresses.has(place.route)) {
      losses.push({ file: path, line: null, what: `Another page has the address /${place.route} already.` })
      continue
    }
    addresses.add(place.route)
    const own = splitSourcePage(written)
    const former = { ...own, fields: { ...site.defaults?.(path), ...own.fields } }
    if (former.error !== null) losses.push({ file: path, line: 1, what: `front matter: ${former.error}` })
    const linkTo = (target: string) => resolve(target, path, place)
    const textOf = (target: string) => readNearPage(files, site.contentRoot, path, target)
    const { file, text, lost, unread } = convertPage(
      former,
      { path, place, folders, taken, site, body: former.body, linkTo, textOf },
      from,
    )
    losses.push(...lost.map((loss) => ({ file: path, ...loss })))
    texts.set(file, text)
    for (const field of unread) {
      const paths = pagesWith.get(field) ?? []
      paths.push(path)
      pagesWith.set(field, paths)
    }
  }
  const copies = new Map([...served].map(([path, at]) => [`static/${at}`, path]))
  losses.push(...[...pagesWith].map(([field, paths]) => unreadLoss(field, paths)))
  return { from, texts, copies, losses: losses.sort(inOrder) }
}

/** Told once, however many pages have such a field. */
function unreadLoss(field: string, [file = '', ...others]: readonly string[]): Loss {
  const elsewhere = others.length === 1 ? '1 other file' : `${others.length} other files`
  return {
    file,
    line: 1,
    what: `${field}: nothing shows it; it stayed in config${others.length === 0 ? '' : `, as in ${elsewhere}`}`,
  }
}

interface PageContext extends TagContext {
  readonly path: string
  readonly place: PageTarget
  /** Routes that others lie beneath. */
  readonly folders: ReadonlySet<string>
  /** Paths at which something of the new site lies, or that lead to a page of it. */
  readonly taken: Set<string>
  readonly site: SourceSite
}

interface ConvertedPage {
  readonly file: string
  readonly text: string
  readonly lost: readonly Omit<Loss, 'file'>[]
  /** Names of fields that stayed in its `config`, where nothing reads them. */
  readonly unread: readonly string[]
}

function convertPage(former: SourcePage, context: PageContext, from: Generator): ConvertedPage {
  const { path, place, folders, site, linkTo } = context
  const home = homeSections(former.fields, linkTo, place.lang)
  if (home !== null) {
    const lost =
      former.body.trim() === ''
        ? []
        : [{ line: former.bodyLine, what: 'The text beneath a home page of sections is left out.' }]
    return { file: `${fileOf(place.route, folders)}.yaml`, text: stringify(home), lost, unread: [] }
  }
  const lost: Omit<Loss, 'file'>[] = []
  const note = (line: number, what: string) => lost.push({ line: former.bodyLine + line, what })
  const kept: string[] = []
  const keep = (text: string) => `\0${kept.push(text) - 1}\0`
  const written = former.body.replaceAll('\0', '').replaceAll('\r\n', '\n')
  const prose = mapProse(fenceCode(from.protectVerbatim(written, keep), note), (text, line) =>
    mapLinks(
      replaceTags(text, [...HEADING_IDS, ...from.tags], context, {
        keep,
        note: (at, what) => note(line + at, what),
      }),
      (target) => linkTo(target) ?? target,
    ),
  )
  const body = prose.replace(PLACEHOLDER, (_, index: string) => kept[Number(index)] ?? '')
  const [, dated = null] = /(?:^|\/)(\d{4}-\d{1,2}-\d{1,2})-[^/]*$/.exec(path) ?? []
  const name = place.route.split('/').at(-1) || 'home'
  const redirects = redirectsOf(former.fields, place, context.taken)
  const page = convertFields(former.fields, body, place, {
    redirectFrom: redirects.paths,
    linkTo,
    name,
    dated,
    order: site.order.get(place.route) ?? null,
  })
  lost.push(...[...redirects.lost, ...page.lost].map((what) => ({ line: 1, what })))
  const text = page.body.trim()
  // Of a page of sections its Markdown is not shown.
  if (place.type === 'page' && text !== '') {
    const sections = [{ type: 'content', body: `${text}\n` }]
    return {
      file: `${fileOf(place.route, folders)}.yaml`,
      text: stringify({ ...page.fields, sections }),
      lost,
      unread: page.unread,
    }
  }
  return {
    file: `${fileOf(place.route, folders)}.md`,
    text: writeFrontMatter(page.fields, `${text}\n`),
    lost,
    unread: page.unread,
  }
}

/** Pages that have others beneath them are the index of their folder. */
function fileOf(route: string, folders: ReadonlySet<string>): string {
  if (route === '') return 'index'
  return folders.has(route) ? `${route}/index` : route
}

/** Ids that headings name, in kramdown on the line beneath too; whatever else stands in the braces is for styles. */
const HEADING_IDS: readonly TemplateTag[] = [
  {
    pattern:
      /(?<=^ {0,3}#{1,6}[ \t].*?)(?:[ \t]+#+)?[ \t]*\n?\{:?(?:[^{}\n]*[ \t])?#([\p{L}\p{N}_][\p{L}\p{N}_.:-]{0,99})(?:[ \t][^{}\n]*)?\}[ \t]*$/gmu,
    replace: ([, id = '']) => ` {#${id}}`,
  },
  { pattern: /(?<=^ {0,3}#{1,6}[ \t].*?)[ \t]*\{[ \t]*#[\w-]+[ \t]*\}[ \t]*$/gm, replace: () => null },
]

const PLACEHOLDER = /\0(\d+)\0/g

/** @param keep takes what is not to be looked at again, e.g. code, and returns what stands for it meanwhile. */
function replaceTags(
  text: string,
  constructs: readonly TemplateTag[],
  context: TagContext,
  {
    keep,
    note,
  }: { readonly keep: (text: string) => string; readonly note: (line: number, what: string) => void },
): string {
  return constructs.reduce((current, { pattern, replace }) => {
    let at = 0
    let result = ''
    for (const found of current.matchAll(pattern)) {
      const replacement = replace(found, context)
      const isWhole = typeof replacement === 'string'
      result += current.slice(at, found.index) + keep(isWhole ? replacement : (replacement?.text ?? ''))
      if (!isWhole)
        note(
          breaksIn(current.slice(0, found.index)),
          replacement?.message ?? `${firstLine(found[0].trim())}: left out`,
        )
      at = found.index + found[0].length
    }
    return result + current.slice(at)
  }, text)
}

function firstLine(construct: string): string {
  const [line = ''] = construct.split('\n', 1)
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}

/** Files under names that a site may have. */
function assetPaths({ assets }: SourceSite): {
  readonly served: ReadonlyMap<string, string>
  readonly lost: readonly Loss[]
} {
  const served = new Map<string, string>()
  const lost: Loss[] = []
  for (const [path, at] of assets) {
    const { asset, faults } = readAsset(`static/${at.split('/').map(safeName).join('/')}`)
    if (asset !== null) served.set(path, asset.path)
    else lost.push({ file: path, line: null, what: faults[0]?.message ?? '' })
  }
  return { served, lost }
}

function safeName(name: string): string {
  return name.replace(/[^\w.-]+/g, '-').replace(/^[^a-z0-9]+/i, '')
}

function readNearPage(files: SourceFiles, source: string, from: string, name: string): string | null {
  const path = /^@?\//.test(name) ? source + name.replace(/^@?\//, '') : posix.join(posix.dirname(from), name)
  return files.text(path)
}

function siteFile({ fields }: SourceSite, name: string): string {
  const written: JsonObject = { name: humanised(name), ...fields }
  return stringify(written)
}

function inOrder(a: Loss, b: Loss): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return (a.line ?? 0) - (b.line ?? 0)
}
