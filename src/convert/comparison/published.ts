import { posix } from 'node:path'
import type { JsonValue } from '../../domain/json.ts'
import { toPathList } from '../../domain/redirect-path.ts'
import { mapOutsideFences } from '../../page-text/map-prose.ts'
import { listOf, objectOf, textOf } from '../config/config-values.ts'
import type { NavItem, PageTarget, SourceFiles, SourceSite } from '../conversion.ts'
import type { Conversion } from '../convert-site.ts'
import { isHostFile } from '../links/host-redirects.ts'
import { listedAddresses } from '../links/listed-addresses.ts'
import { isDrawing } from '../page/field-names.ts'
import { type SourcePage, splitSourcePage } from '../page/source-front-matter.ts'
import { INCLUDE } from './include-directives.ts'

/*
 * Everything that a source site publishes besides the texts of its pages, as its own generator reads its configuration
 * and content. It is counted before the conversion, so that overlooked content counts as lost.
 */

export const PUBLISHED_KINDS = [
  'Headings',
  'Addresses',
  'Front page',
  'Feeds',
  'Lists of terms',
  'Other lists',
  'Menu entries',
  'Languages',
  'Redirects',
  'Fields',
  'Includes',
  'Files',
] as const
export type PublishedKind = (typeof PUBLISHED_KINDS)[number]

/** Something that the source site publishes. */
export interface Published {
  readonly kind: PublishedKind
  /** An address, a label, a language tag, the name of a field, a directive, or the path of a file. */
  readonly name: string
  /** The path in the source folder. */
  readonly file: string
  /** From 1. Null when it concerns the whole file. */
  readonly line: number | null
}

/** Files of a configuration that are searched. */
const MAX_PARTS = 200

const LISTED_KINDS = { feed: 'Feeds', list: 'Lists of terms', page: 'Other lists' } as const

export function publishedBy(files: SourceFiles, conversion: Conversion): readonly Published[] {
  const { source, articles } = conversion
  const placeOf = placesIn(source, files)
  const shown = [...source.pages].filter(
    ([file, target]) => target.hidden === undefined && !isDraft(file, files, conversion),
  )
  return [
    ...shown.flatMap(([file, target]) => addressOf(file, target)),
    ...(source.frontList === undefined ? [] : [addressAt('/', source.frontList)]),
    ...[...(source.unread ?? [])].map(([file, address]) => addressAt(address, file)),
    ...listedAddresses(source, articles).map(
      ({ kind, from, file }): Published => ({
        kind: LISTED_KINDS[kind],
        name: from,
        file,
        line: null,
      }),
    ),
    ...menuEntries(source, placeOf),
    ...languagesOf(source),
    ...[...(source.redirects ?? [])].map(
      ([from]) => ({ kind: 'Redirects', name: from, ...placeOf(from) }) as const,
    ),
    ...(source.unreadRedirects ?? []).map(
      ({ from, file, line }): Published => ({ kind: 'Redirects', name: from, file, line }),
    ),
    ...shown.flatMap(([file, target]) => ofPage(file, target, files.text(file) ?? '', conversion)),
    ...[...source.assets]
      .filter(([file]) => !isHostFile(file))
      .map(([file]): Published => ({ kind: 'Files', name: file, file, line: null })),
  ]
}

function addressOf(file: string, { originalPath }: PageTarget): readonly Published[] {
  return originalPath === undefined ? [] : [addressAt(originalPath, file)]
}

/** The front page is counted by itself: a site without it has no way in. */
function addressAt(address: string, file: string): Published {
  const isFront = /^\/(?:index\.html)?$/.test(address)
  return { kind: isFront ? 'Front page' : 'Addresses', name: address, file, line: null }
}

/** Reports whether the page is a draft by its own fields, with the defaults and overrides of the configuration. */
function isDraft(file: string, files: SourceFiles, { from, source }: Conversion): boolean {
  const own = pageOf(file, files.text(file) ?? '', source).fields
  const fields = { ...source.defaults?.(file), ...(from.fieldsOf?.(own) ?? own), ...source.overrides?.(file) }
  return fields['draft'] === true || fields['published'] === false
}

/** Fields and includes of a page, and the addresses that it states to have had before. */
function ofPage(
  file: string,
  { route, originalPath = `/${route}` }: PageTarget,
  text: string,
  { from, source }: Conversion,
): readonly Published[] {
  const { fields: own, body, bodyLine } = pageOf(file, text, source)
  const fields = from.fieldsOf?.(own) ?? own
  const head = text.split('\n').slice(0, bodyLine)
  const lineOf = (field: string) => {
    const index = head.findIndex((line) =>
      line.toLowerCase().replace(/["']/g, '').trimStart().startsWith(field.toLowerCase()),
    )
    return index === -1 ? 1 : index + 1
  }
  const folders = { aliases: posix.dirname(originalPath.replace(/\/$/, '')), redirect_from: '/' }
  const former = Object.entries(folders).flatMap(([field, folder]) =>
    toPathList(fields[field]).map(
      (path): Published => ({
        kind: 'Redirects',
        name: posix.resolve('/', folder, path),
        file,
        line: lineOf(field),
      }),
    ),
  )
  const named = Object.entries(fields)
    .filter(([field, value]) => !isDrawing(field, value) && !isEmpty(value))
    .map(([field]): Published => ({ kind: 'Fields', name: field, file, line: lineOf(field) }))
  return [...former, ...named, ...includesIn(body, bodyLine).map((each) => ({ ...each, file }))]
}

function pageOf(file: string, text: string, { readPage }: SourceSite): SourcePage {
  return readPage?.(file, text) ?? splitSourcePage(text)
}

function isEmpty(value: JsonValue): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

function includesIn(body: string, bodyLine: number): readonly Omit<Published, 'file'>[] {
  const found: Omit<Published, 'file'>[] = []
  mapOutsideFences(body.replaceAll('\r\n', '\n'), (text, line) => {
    for (const { 0: directive, index } of text.replace(/`[^`\n]*`/g, blank).matchAll(INCLUDE))
      found.push({
        kind: 'Includes',
        name: directive.trim(),
        line: bodyLine + line + text.slice(0, index).split('\n').length - 1,
      })
    return text
  })
  return found
}

function blank(text: string): string {
  return ' '.repeat(text.length)
}

/** Finds the file and the line of the configuration that say something. */
type PlaceOf = (name: string) => Pick<Published, 'file' | 'line'>

/** The file of the configuration comes first, then the files next to it, which hold parts of it. */
function placesIn({ config = '', places }: SourceSite, files: SourceFiles): PlaceOf {
  const beside = files.paths.filter(
    (path) =>
      path !== config &&
      posix.dirname(path) === posix.dirname(config) &&
      /\.(toml|ya?ml|json|m?[jt]s)$/.test(path),
  )
  const texts = [config, ...beside.slice(0, MAX_PARTS)].map((file) => ({
    file,
    lines: (files.text(file) ?? '').split('\n'),
  }))
  return (name) => {
    const known = places?.get(name)
    if (known !== undefined) return known
    for (const { file, lines } of texts) {
      const index = lines.findIndex((line) => line.includes(name))
      if (index !== -1) return { file, line: index + 1 }
    }
    return { file: config, line: null }
  }
}

function menuEntries(source: SourceSite, placeOf: PlaceOf): readonly Published[] {
  const { fields, menus } = source
  const own = [fields, ...Object.values(objectOf(fields['by_locale'])).map(objectOf)]
  const labels =
    menus ??
    own.flatMap(({ nav_links, shared_footer }) => [
      ...labelsIn(nav_links),
      ...labelsIn(objectOf(shared_footer)['links']),
    ])
  return [...labels, ...sidebarTitles(source.nav ?? [])].map(
    (label) => ({ kind: 'Menu entries', name: label, ...placeOf(label) }) as const,
  )
}

/** The labels of links and of groups of links. */
export function labelsIn(links: JsonValue | undefined): readonly string[] {
  return listOf(links).flatMap(({ label, title, links: inner }) => [
    ...[textOf(label ?? title) ?? []].flat(),
    ...labelsIn(inner),
  ])
}

/** Titled entries of a sidebar that lead to no page, such as links to other sites. Those of pages are their addresses. */
function sidebarTitles(items: readonly NavItem[]): readonly string[] {
  return items.flatMap(({ title, route, children }) =>
    children.length > 0 ? sidebarTitles(children) : route === null && title !== null ? [title] : [],
  )
}

function languagesOf({ fields, pages, config = '', languages }: SourceSite): readonly Published[] {
  const codes = languages ?? [
    ...listOf(fields['locales']).flatMap(({ code }) => textOf(code) ?? []),
    ...[...pages.values()].flatMap(({ lang, hidden }) =>
      lang === undefined || hidden !== undefined ? [] : [lang],
    ),
  ]
  const main = textOf(objectOf(fields['branding'])['lang'])
  const all = new Set([...codes, ...(main === undefined ? [] : [main])].map((code) => code.toLowerCase()))
  return [...all].map((name) => ({ kind: 'Languages', name, file: config, line: null }))
}
