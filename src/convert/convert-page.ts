import { posix } from 'node:path'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { folderEntryId } from '../domain/feed-id.ts'
import type { JsonObject } from '../domain/json.ts'
import { urlPath } from '../domain/route.ts'
import { readSiteUrl } from '../domain/site-url.ts'
import { replaceSpans } from '../page-text/code-spans.ts'
import { mapLinks } from '../page-text/map-links.ts'
import { breaksIn, mapOutsideFences } from '../page-text/map-prose.ts'
import { writeFrontMatter } from '../page-text/write-front-matter.ts'
import { drawDashes } from './body/dashes.ts'
import { createEmptyLinks } from './body/empty-links.ts'
import { fenceCode } from './body/fenced-code.ts'
import { convertHeadingAttributes } from './body/heading-attributes.ts'
import { asHtmlBlock, withoutIndents } from './body/html-page.ts'
import { createProtectedTexts, replaceTags } from './body/template-tags.ts'
import type { Generator, PageTarget, Report, SourceSite, TagContext } from './conversion.ts'
import { redirectsOf } from './links/redirects.ts'
import { PUBLISHED_FIELDS } from './page/field-names.ts'
import type { FieldNotice } from './page/field-problems.ts'
import { fieldText } from './page/field-text.ts'
import { dateIn } from './page/page-dates.ts'
import { convertFields } from './page/page-fields.ts'
import { readSourceDate } from './page/source-date.ts'
import type { SourcePage } from './page/source-front-matter.ts'
import { homeNotices, homeSections } from './vitepress/home.ts'

export interface PageContext extends TagContext {
  readonly path: string
  readonly target: PageTarget
  /** Routes that have pages below them. */
  readonly folders: ReadonlySet<string>
  /** Paths that a page, an asset or a redirect of the new site has. */
  readonly taken: Set<string>
  /** Paths that the configuration redirects to the page. */
  readonly formerPaths: readonly string[]
  readonly site: SourceSite
  readonly pathOf: (name: string, from: string) => string
}

export interface ConvertedPage {
  readonly file: string
  readonly title: string
  readonly text: string
  readonly isDraft: boolean
  readonly diagnostics: readonly Diagnostic[]
  /** Diagnostics of fields. Each is reported once, however many pages have the field. */
  readonly notices: readonly FieldNotice[]
}

export function convertPage(source: SourcePage, context: PageContext, from: Generator): ConvertedPage {
  const { path, target, folders, site, linkTo } = context
  const diagnostics: Diagnostic[] = []
  const report: Report = (line, code, message) =>
    diagnostics.push(diagnostic(code, path, message, { line: source.bodyLine + line }))
  const home = homeSections(source.fields, linkTo, target.lang)
  const converted = convertBody(source, context, from, report)
  // A hidden page had no address.
  const redirects =
    target.hidden === undefined ? redirectsOf(source.fields, target, context) : { paths: [], problems: [] }
  const page = convertFields(source.fields, converted, target, {
    from: from.name,
    redirectFrom: redirects.paths,
    guid:
      target.type === 'article' && target.hidden === undefined
        ? formerGuid(source, context, from, redirects.paths.length > 0)
        : undefined,
    linkTo,
    name: target.route.split('/').at(-1) || 'home',
    fileDate: dateOfFile(path),
    order: site.order.get(target.route) ?? null,
  })
  if (target.hidden !== undefined)
    diagnostics.push(
      diagnostic(
        'QN-HIDDEN-PAGE',
        path,
        `${target.hidden} It is written as a draft, which is not published.`,
      ),
    )
  for (const { code, field, message } of [...redirects.problems, ...(home === null ? page.problems : [])])
    diagnostics.push(diagnostic(code, path, message, { line: 1, field }))
  const own = home === null ? page.fields : { ...home, ...redirectField(redirects.paths) }
  const hidden = target.hidden !== undefined && { draft: true }
  const text = (home === null ? page.body : converted).trim()
  return {
    file: `${fileOf(target.route, folders)}.md`,
    title: String(own['title']),
    text: writeFrontMatter({ ...own, ...hidden }, `${text}\n`),
    isDraft: own['draft'] === true || target.hidden !== undefined,
    diagnostics,
    notices: home === null ? page.notices : homeNotices(source.fields),
  }
}

/**
 * The id of an article in the feed of the source site. If it is unknown, an id from the former address of a moved
 * article; else undefined.
 */
function formerGuid(
  { fields }: SourcePage,
  { path, target, site }: Pick<PageContext, 'path' | 'target' | 'site'>,
  { feedGuid }: Generator,
  isMoved: boolean,
): string | undefined {
  const base = readSiteUrl(String(site.fields['url'] ?? ''))
  const stated = fieldText(fields['permalink']) ?? fieldText(fields['url'])
  const address = target.originalPath ?? stated
  if (address === undefined) return undefined
  if (feedGuid !== undefined && base !== null)
    return `${base.replace(/\/$/, '')}${urlPath(feedGuid(posix.join('/', address)))}`
  const date = dateIn(fields, PUBLISHED_FIELDS) ?? readSourceDate(dateOfFile(path) ?? undefined)
  return isMoved ? folderEntryId(base, date ?? null, posix.join('/', address)) : undefined
}

/** The date in the path of a file, e.g. `2024-05-01`. */
function dateOfFile(path: string): string | null {
  return /(?:^|\/)(\d{4}[-/]\d{1,2}[-/]\d{1,2})[-/][^/]*(?:\/index\.mdx?)?$/.exec(path)?.[1] ?? null
}

function redirectField(paths: readonly string[]): JsonObject {
  return paths.length === 0 ? {} : { redirect_from: paths }
}

function convertBody(source: SourcePage, context: PageContext, from: Generator, report: Report): string {
  const { protect, isEmpty, restore } = createProtectedTexts()
  const emptyLinks = createEmptyLinks(isEmpty)
  const isHtml = context.path.endsWith('.html')
  const lines = source.body.replaceAll('\0', '').replaceAll('\r\n', '\n')
  const body = isHtml ? withoutIndents(lines) : lines
  const verbatim = from.protectVerbatim(body, (text) => protect(text))
  const rewritten =
    from.rewrite?.(verbatim, { ...context, fields: source.fields, report, protect }) ?? verbatim
  const prose = mapOutsideFences(fenceCode(rewritten, report), (text, line) => {
    const reportAt: Report = (at, code, message) => report(line + at, code, message)
    const withoutSpans = replaceSpans(text, (span) => protect(span, breaksIn(span)))
    const headings = convertHeadingAttributes(withoutSpans, protect, reportAt)
    const converted = replaceTags(headings, from.tags, context, protect, reportAt)
    const drawn = context.site.drawsDashes === true ? drawDashes(converted) : converted
    return mapLinks(emptyLinks.unlink(drawn), (link) => context.linkTo(link) ?? link)
  })
  // Definitions may be in another part of the page than the references to them.
  const text = restore(mapOutsideFences(prose, emptyLinks.unlinkReferences))
  return isHtml ? asHtmlBlock(text) : text
}

/** A page with pages below it is the index of their folder. */
export function fileOf(route: string, folders: ReadonlySet<string>): string {
  if (route === '') return 'index'
  return folders.has(route) ? posix.join(route, 'index') : route
}
