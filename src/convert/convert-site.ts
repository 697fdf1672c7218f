import { posix } from 'node:path'
import { stringify } from 'yaml'
import { readAsset } from '../content-folder/asset-file.ts'
import { byPosition, type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import type { JsonObject } from '../domain/json.ts'
import { readSiteUrl } from '../domain/site-url.ts'
import { humanise } from '../page-text/humanise.ts'
import { mapLinks } from '../page-text/map-links.ts'
import { breaksIn, mapProse } from '../page-text/map-prose.ts'
import { writeFrontMatter } from '../page-text/write-front-matter.ts'
import type {
  Generator,
  GeneratorName,
  PageTarget,
  Report,
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
import { quotedTag } from './quoted-tag.ts'
import { redirectsOf } from './redirects.ts'
import { type SourcePage, splitSourcePage } from './source-front-matter.ts'
import { vitepress } from './vitepress.ts'
import { homeSections } from './vitepress-home.ts'

const ALL_GENERATORS: readonly Generator[] = [vitepress, hugo, eleventy, jekyll, markdown]

/** A site of another generator as the files of a content folder. */
export interface Conversion {
  readonly from: Generator
  /** Texts to write, by path in the new folder. */
  readonly texts: ReadonlyMap<string, string>
  /** Files to copy: the path in the source folder, by path in the new one. */
  readonly copies: ReadonlyMap<string, string>
  /** Everything that is left out or converted in part, sorted by file and line. */
  readonly diagnostics: readonly Diagnostic[]
}

/** The generator of this name, or the one that detects these files as its site. Null when none does. */
export function detectGenerator(files: SourceFiles, name: GeneratorName | null): Generator | null {
  return (
    ALL_GENERATORS.find((generator) =>
      name === null ? generator.detects(files) : generator.name === name,
    ) ?? null
  )
}

/** @param name of the site when its configuration has none. */
export function convertSite(files: SourceFiles, from: Generator, name: string): Conversion {
  const site = from.read(files)
  const url = readSiteUrl(String(site.fields['url'] ?? ''))
  const base = url === null ? '/' : new URL(url).pathname.replace(/\/$/, '') || '/'
  const assets = assetPaths(site)
  const resolve = createResolver(site, assets.served, base)
  const texts = new Map([['site.yaml', siteFile(site, name)]])
  const diagnostics = [...site.diagnostics, ...assets.diagnostics]
  const folders = new Set([...site.pages.values()].flatMap(({ route }) => foldersOf(route)))
  const routes = new Set<string>()
  /** Files that have a field which no template reads, by the name of the field. */
  const filesWith = new Map<string, string[]>()
  const taken = new Set([
    ...[...site.pages.values()].map(({ route }) => `/${route}`),
    ...[...assets.served.values()].map((at) => `/${at}`),
  ])

  for (const [path, target] of [...site.pages].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const text = files.text(path)
    const skipped = reasonToSkip(path, text, target, routes)
    if (skipped !== null || text === null) {
      if (skipped !== null) diagnostics.push(skipped)
      continue
    }
    routes.add(target.route)
    const own = splitSourcePage(text)
    const source = { ...own, fields: { ...site.defaults?.(path), ...own.fields } }
    if (source.error !== null)
      diagnostics.push(
        diagnostic('QN-SOURCE-UNREADABLE', path, `Front matter cannot be read: ${source.error}`, { line: 1 }),
      )
    const context = {
      path,
      target,
      folders,
      taken,
      site,
      body: source.body,
      linkTo: (link: string) => resolve(link, path, target),
      textOf: (link: string) => readNearPage(files, site.contentRoot, path, link),
    }
    const page = convertPage(source, context, from)
    diagnostics.push(...page.diagnostics)
    texts.set(page.file, page.text)
    for (const field of page.unreadFields) filesWith.set(field, [...(filesWith.get(field) ?? []), path])
  }
  const copies = new Map([...assets.served].map(([path, at]) => [`static/${at}`, path]))
  diagnostics.push(...[...filesWith].map(([field, paths]) => unreadField(field, paths)))
  return { from, texts, copies, diagnostics: diagnostics.sort(byPosition) }
}

/** Why a file of the source site gets no page, or null. */
function reasonToSkip(
  path: string,
  text: string | null,
  { type, route }: PageTarget,
  routes: ReadonlySet<string>,
): Diagnostic | null {
  if (type === 'list') {
    const message = `The list of articles at /${route} is generated. The text and fields of this file are left out.`
    return diagnostic('QN-NOT-CONVERTED', path, message)
  }
  if (text === null)
    return diagnostic('QN-SOURCE-UNREADABLE', path, 'The file is larger than 5 MiB. It is left out.')
  if (routes.has(route))
    return diagnostic('QN-NOT-CONVERTED', path, `Another page has the path /${route}. This one is left out.`)
  return null
}

/** One diagnostic for a field, however many files have it. */
function unreadField(field: string, [file = '', ...others]: readonly string[]): Diagnostic {
  const rest =
    others.length === 0
      ? ''
      : others.length === 1
        ? ' 1 other file has it too.'
        : ` ${others.length} other files have it too.`
  const message = `\`${field}\` is copied to \`config\`, where no template reads it.${rest}`
  return diagnostic('QN-UNREAD-FIELD', file, message, { line: 1, field })
}

interface PageContext extends TagContext {
  readonly path: string
  readonly target: PageTarget
  /** Routes that have pages below them. */
  readonly folders: ReadonlySet<string>
  /** Paths that a page, an asset or a redirect of the new site has. */
  readonly taken: Set<string>
  readonly site: SourceSite
}

interface ConvertedPage {
  readonly file: string
  readonly text: string
  readonly diagnostics: readonly Diagnostic[]
  /** Names of fields in `config` that no template reads. */
  readonly unreadFields: readonly string[]
}

function convertPage(source: SourcePage, context: PageContext, from: Generator): ConvertedPage {
  const { path, target, folders, site, linkTo } = context
  const diagnostics: Diagnostic[] = []
  const report: Report = (line, code, message) =>
    diagnostics.push(diagnostic(code, path, message, { line: source.bodyLine + line }))
  const home = homeSections(source.fields, linkTo, target.lang)
  if (home !== null) {
    if (source.body.trim() !== '')
      report(0, 'QN-NOT-CONVERTED', 'The text below the sections of a home page is left out.')
    return {
      file: `${fileOf(target.route, folders)}.yaml`,
      text: stringify(home),
      diagnostics,
      unreadFields: [],
    }
  }
  const name = target.route.split('/').at(-1) || 'home'
  const redirects = redirectsOf(source.fields, target, context.taken)
  const page = convertFields(source.fields, convertBody(source, context, from, report), target, {
    redirectFrom: redirects.paths,
    linkTo,
    name,
    fileDate: /(?:^|\/)(\d{4}-\d{1,2}-\d{1,2})-[^/]*$/.exec(path)?.[1] ?? null,
    order: site.order.get(target.route) ?? null,
  })
  diagnostics.push(
    ...[...redirects.problems, ...page.problems].map(({ code, field, message }) =>
      diagnostic(code, path, message, { line: 1, field }),
    ),
  )
  const text = page.body.trim()
  // A page of sections does not show its Markdown, so the Markdown becomes a section.
  if (target.type === 'page' && text !== '') {
    const sections = [{ type: 'content', body: `${text}\n` }]
    return {
      file: `${fileOf(target.route, folders)}.yaml`,
      text: stringify({ ...page.fields, sections }),
      diagnostics,
      unreadFields: page.unreadFields,
    }
  }
  return {
    file: `${fileOf(target.route, folders)}.md`,
    text: writeFrontMatter(page.fields, `${text}\n`),
    diagnostics,
    unreadFields: page.unreadFields,
  }
}

function convertBody(source: SourcePage, context: PageContext, from: Generator, report: Report): string {
  const stored: string[] = []
  const protect = (text: string, breaks = 0) => `\0${stored.push(text) - 1}:${breaks}\0`
  const body = source.body.replaceAll('\0', '').replaceAll('\r\n', '\n')
  const prose = mapProse(
    fenceCode(
      from.protectVerbatim(body, (text) => protect(text)),
      report,
    ),
    (text, line) =>
      mapLinks(
        replaceTags(text, [...HEADING_IDS, ...from.tags], context, protect, (at, code, message) =>
          report(line + at, code, message),
        ),
        (link) => context.linkTo(link) ?? link,
      ),
  )
  return prose.replace(PLACEHOLDER, (_, index: string) => stored[Number(index)] ?? '')
}

/** A page with pages below it is the index of their folder. */
function fileOf(route: string, folders: ReadonlySet<string>): string {
  if (route === '') return 'index'
  return folders.has(route) ? `${route}/index` : route
}

/** Ids of headings. Kramdown allows them on the next line too. Other attributes in the braces are for styles. */
const HEADING_IDS: readonly TemplateTag[] = [
  {
    pattern:
      /(?<=^ {0,3}#{1,6}[ \t].*?)(?:[ \t]+#+)?[ \t]*\n?\{:?(?:[^{}\n]*[ \t])?#([\p{L}\p{N}_][\p{L}\p{N}_.:-]{0,99})(?:[ \t][^{}\n]*)?\}[ \t]*$/gmu,
    replace: ([, id = '']) => ` {#${id}}`,
  },
  { pattern: /(?<=^ {0,3}#{1,6}[ \t].*?)[ \t]*\{[ \t]*#[\w-]+[ \t]*\}[ \t]*$/gm, replace: () => null },
]

/** The index of a stored text, and the number of line breaks of the text that it replaces. */
const PLACEHOLDER = /\0(\d+):(\d+)\0/g

/** The number of line breaks in a text, including those that placeholders replace. */
function sourceBreaksIn(text: string): number {
  return [...text.matchAll(PLACEHOLDER)].reduce((sum, { 2: breaks }) => sum + Number(breaks), breaksIn(text))
}

/** Replaces each tag with a placeholder of its replacement, so that later tags do not match in it. */
function replaceTags(
  text: string,
  tags: readonly TemplateTag[],
  context: TagContext,
  protect: (text: string, breaks: number) => string,
  report: Report,
): string {
  return tags.reduce((current, { pattern, replace }) => {
    let at = 0
    let result = ''
    for (const found of current.matchAll(pattern)) {
      const replacement = replace(found, context)
      const line = sourceBreaksIn(current.slice(0, found.index))
      if (replacement === null) report(line, 'QN-NOT-CONVERTED', `${quotedTag(found[0])} is left out.`)
      else if (typeof replacement !== 'string') report(line, 'QN-PARTLY-CONVERTED', replacement.message)
      const markdown = typeof replacement === 'string' ? replacement : (replacement?.text ?? '')
      result += current.slice(at, found.index) + protect(markdown, sourceBreaksIn(found[0]))
      at = found.index + found[0].length
    }
    return result + current.slice(at)
  }, text)
}

/** Assets under names that a content folder accepts. */
function assetPaths({ assets }: SourceSite): {
  readonly served: ReadonlyMap<string, string>
  readonly diagnostics: readonly Diagnostic[]
} {
  const served = new Map<string, string>()
  const diagnostics: Diagnostic[] = []
  for (const [path, at] of assets) {
    const { asset, errors } = readAsset(`static/${at.split('/').map(safeName).join('/')}`)
    if (asset !== null) served.set(path, asset.path)
    else diagnostics.push(diagnostic('QN-NOT-CONVERTED', path, errors[0]?.message ?? ''))
  }
  return { served, diagnostics }
}

function safeName(name: string): string {
  return name.replace(/[^\w.-]+/g, '-').replace(/^[^a-z0-9]+/i, '')
}

function readNearPage(files: SourceFiles, contentRoot: string, from: string, name: string): string | null {
  const path = /^@?\//.test(name)
    ? contentRoot + name.replace(/^@?\//, '')
    : posix.join(posix.dirname(from), name)
  return files.text(path)
}

function siteFile({ fields }: SourceSite, name: string): string {
  const written: JsonObject = { name: humanise(name), ...fields }
  return stringify(written)
}
