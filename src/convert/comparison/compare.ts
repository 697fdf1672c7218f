import { decoded } from '../../domain/author-url.ts'
import type { DiagnosticCode } from '../../domain/diagnostic-codes.ts'
import type { SourceFiles, SourceSite } from '../conversion.ts'
import type { Conversion } from '../convert-site.ts'
import { foldersOf } from '../page/page-route.ts'
import { splitSourcePage } from '../page/source-front-matter.ts'
import { type Account, accountsOf } from './accounts.ts'
import { joinMeasures, type Measure, measureFields, measureMarkdown } from './measure.ts'
import { missingFrom } from './missing-from.ts'

/** Counts of one kind of content in the source site, and of its losses. */
export interface Kept {
  /** The number in the source site. */
  readonly total: number
  readonly missing: number
}

export interface PageLosses {
  /** The path in the source folder. */
  readonly source: string
  /** The path in the new folder. */
  readonly file: string
  readonly words: readonly string[]
  readonly links: readonly string[]
  readonly pictures: readonly string[]
  readonly codeBlocks: number
}

/** A source site and its converted folder, next to each other. */
export interface Comparison {
  readonly pages: Kept
  readonly words: Kept
  readonly links: Kept
  readonly pictures: Kept
  readonly codeBlocks: Kept
  /** The outcome for all published content besides the texts of pages. */
  readonly accounts: readonly Account[]
  /** Pages with losses, those with the most missing words first. */
  readonly losses: readonly PageLosses[]
  /** Converted pages that the new folder does not have. */
  readonly missingPages: readonly string[]
  /** Markdown files of the site that are neither converted nor named in a diagnostic. */
  readonly unaccounted: readonly string[]
  /** Pages that cannot be converted, such as programs, as diagnostics say. */
  readonly unread: readonly string[]
  /** Pages that the source site does not publish. They are drafts, or left out. */
  readonly hidden: number
  /** Markdown files that are no pages of the new folder, as diagnostics say. */
  readonly leftOut: number
  /** Parts of pages and of the configuration that are left out or changed, as diagnostics say. */
  readonly reported: number
}

/** Diagnostics about losses that a comparison of pages often misses, such as an include without its file. */
const LOSSES: ReadonlySet<DiagnosticCode> = new Set([
  'QN-NOT-CONVERTED',
  'QN-PARTLY-CONVERTED',
  'QN-SOURCE-UNREADABLE',
  'QN-UNUSED-REDIRECT',
  'QN-MOVED-PAGE',
])

/**
 * Compares words, links, images, code blocks and pages of a source site with those of the converted folder.
 *
 * @param textOf reads a file of the new folder. Null when there is none.
 * @param hasFile whether the new folder has a file.
 */
export function compareConversion(
  files: SourceFiles,
  conversion: Conversion,
  textOf: (path: string) => string | null,
  hasFile: (path: string) => boolean,
): Comparison {
  const { pages, included, contentRoot, diagnostics, source: site } = conversion
  // An image that the source site does not have either is no loss.
  const sourceNames = new Set([...files.paths, ...files.diagnostics.map(({ file }) => file)].map(baseName))
  const losses: PageLosses[] = []
  const missingPages: string[] = []
  const sums = { words: sum(), links: sum(), pictures: sum(), codeBlocks: sum() }
  for (const [source, file] of pages) {
    const before = measureSource(source, files.text(source) ?? '', site)
    const text = textOf(file)
    if (text === null) missingPages.push(source)
    const after = text === null ? NOTHING : measureConverted(text)
    const page = lossesOf(before, after, (picture) => hasFile(picture) || !sourceNames.has(baseName(picture)))
    add(sums.words, before.words.length, page.words.length)
    add(sums.links, before.outerLinks.length + before.innerLinks.length, page.links.length)
    add(sums.pictures, before.pictures.length, page.pictures.length)
    add(sums.codeBlocks, before.codeBlocks, page.codeBlocks)
    if (page.words.length + page.links.length + page.pictures.length + page.codeBlocks > 0)
      losses.push({ source, file, ...page })
  }
  const named = new Set(diagnostics.map(({ file }) => file))
  const prefixes = [...named].flatMap((file) => (file.endsWith('*') ? [file.slice(0, -1)] : []))
  const others = files.paths.filter(
    (path) =>
      /\.(mdx?|markdown|mdoc)$/.test(path) &&
      !pages.has(path) &&
      !included.has(path) &&
      // The list of chapters of mdBook is navigation.
      path !== `${contentRoot}SUMMARY.md`,
  )
  const unaccounted = others.filter(
    (path) =>
      path.startsWith(contentRoot) &&
      !named.has(path) &&
      // A whole folder may be named, or all that begins alike.
      !foldersOf(path).some((folder) => named.has(folder)) &&
      !prefixes.some((prefix) => path.startsWith(prefix)),
  )
  const unread = [...(site.unread ?? new Map<string, string>()).keys()]
  const missing = missingPages.length + unaccounted.length + unread.length
  const hidden = diagnostics.filter(({ code }) => code === 'QN-HIDDEN-PAGE')
  const hiddenFiles = new Set(hidden.map(({ file }) => file))
  return {
    ...sums,
    accounts: accountsOf(files, conversion, textOf, hasFile),
    pages: { total: pages.size + unaccounted.length + unread.length, missing },
    unread,
    losses: losses.toSorted((one, other) => other.words.length - one.words.length),
    missingPages,
    unaccounted,
    hidden: hidden.length,
    leftOut: others.filter((path) => !hiddenFiles.has(path)).length - unaccounted.length,
    reported: diagnostics.filter(({ code }) => LOSSES.has(code)).length,
  }
}

/** Reports whether the new folder has all content of the converted pages. */
export function isWhole({
  missingPages,
  unaccounted,
  words,
  links,
  pictures,
  codeBlocks,
}: Comparison): boolean {
  return (
    missingPages.length + unaccounted.length === 0 &&
    [words, links, pictures, codeBlocks].every(({ missing }) => missing === 0)
  )
}

/** Reports whether the new folder has everything that the source site publishes, in the same form. */
export function isComplete(comparison: Comparison): boolean {
  const { accounts, unread, leftOut, reported } = comparison
  return (
    isWhole(comparison) &&
    unread.length + leftOut + reported === 0 &&
    accounts.every(({ lost }) => lost.length === 0)
  )
}

const NOTHING: Measure = {
  words: [],
  outerLinks: [],
  innerLinks: [],
  computedLinks: 0,
  pictures: [],
  codeBlocks: 0,
}

function measureSource(path: string, text: string, { readPage }: Pick<SourceSite, 'readPage'>): Measure {
  const { fields, body } = readPage?.(path, text) ?? splitSourcePage(text)
  return measureMarkdown(body, fields)
}

/** Measures the text and the sections of a page of the new folder. */
function measureConverted(text: string): Measure {
  const { fields, body } = splitSourcePage(text)
  const own = measureMarkdown(body, fields)
  return fields['sections'] === undefined ? own : joinMeasures(own, measureFields(fields['sections']))
}

function lossesOf(before: Measure, after: Measure, hasFile: (path: string) => boolean) {
  const inner = missingFrom(before.innerLinks, after.innerLinks)
  const outer = missingFrom(before.outerLinks, after.outerLinks)
  const newOuter = Math.max(0, after.outerLinks.length - before.outerLinks.length + outer.length)
  const innerCount = Math.max(
    0,
    before.innerLinks.length - after.innerLinks.length - Math.min(before.computedLinks, newOuter),
  )
  const words = missingFrom(before.words, after.words)
  const pictures = Math.max(0, before.pictures.length - after.pictures.length)
  const dead = after.pictures.filter(
    (path) => path.startsWith('/') && !hasFile(`static${decoded(path.replace(/[?#].*$/, ''))}`),
  )
  const lost = missingFrom(before.pictures.map(baseName), after.pictures.map(baseName))
  return {
    words,
    links: [
      ...outer,
      ...inner.slice(0, innerCount).map((label) => (label === '' ? 'a link within the site' : `“${label}”`)),
    ],
    pictures: [...lost.slice(0, pictures), ...dead],
    codeBlocks: Math.max(0, before.codeBlocks - after.codeBlocks),
  }
}

function baseName(path: string): string {
  return (path.split(/[?#]/)[0] ?? '').split('/').at(-1) ?? ''
}

function sum(): { total: number; missing: number } {
  return { total: 0, missing: 0 }
}

function add(kept: { total: number; missing: number }, total: number, missing: number): void {
  kept.total += total
  kept.missing += missing
}
