import { createHash } from 'node:crypto'
import type { Owner, OwnerKind } from '../domain/artifact.ts'
import { ID_ALPHABET, type PageId } from '../domain/ids.ts'
import type { BuiltFile, BuiltPage, PageSaid } from './built-page.ts'

/*
 * What a build keeps of its pages lies in many parts, each named by the hash of its text, so that the next
 * one writes only those that changed; and of each page in two, so that it reads only the smaller one of
 * all of them. A page that was kept is understood a piece at a time, when somebody asks for that piece,
 * and is written as it was read unless another has taken its place. JSON has no tabs and line ends of its own.
 */

export interface Part {
  readonly name: string
  readonly text: () => string
}

/** The parts with pages: the rows of some, and what those very pages say. */
export interface PageParts {
  readonly rows: Part
  readonly said: Part
}

/** Names of parts. */
export interface PagePartNames {
  readonly rows: string
  readonly said: string
}

/** Gives the text of a part by its name. */
export type ReadPart = (name: string) => string

/** A part that was read. */
interface KeptPart {
  readonly names: PagePartNames
  /** Pages in it. */
  readonly count: number
  /** What a page of it says, as it stands there. */
  readonly said: (id: PageId) => string
  readonly read: ReadPart
}

/** Where a page was read, and its row as it stands there; another for each page, even one that is nearly the same. */
interface KeptRow {
  readonly part: KeptPart
  readonly row: string
}

/** A page with what of it was not understood so far. */
interface KeptPage extends Pick<BuiltPage, 'facts' | 'fed' | 'isFound' | 'line'> {
  readonly kept: KeptRow
  readonly columns: readonly string[]
  lines: readonly [sitemap: string | null, llms: string | null] | null
  ownCard: BuiltPage['card'] | null
  more: MoreOfPage | null
  ownSaid: PageSaid | null
}

function keptRow(page: BuiltPage): KeptRow | null {
  return isLazy(page) ? page.kept : null
}

function isLazy(page: object): page is KeptPage {
  return Object.getPrototypeOf(page) === LAZY
}

/** A part holds at most about so many pages: it is written anew for each that changes. */
const PAGES_A_PART = 24

/** One part after the other, so that not all their texts are in memory at once. */
export function* pageParts(pages: ReadonlyMap<PageId, BuiltPage>): Generator<PageParts> {
  const count = partsFor(pages.size)
  const groups: BuiltPage[][] = Array.from({ length: count }, () => [])
  for (const [id, page] of pages) groups[placeOf(id) % count]?.push(page)
  for (const group of groups) if (group.length > 0) yield partsOf(group)
}

/** A power of two, so that few pages more or less leave every page in its part. */
function partsFor(pages: number): number {
  let parts = 1
  while (parts * PAGES_A_PART < pages) parts *= 2
  return parts
}

function placeOf(id: PageId): number {
  return [...id.slice(0, 4)].reduce((place, letter) => place * 32 + ID_ALPHABET.indexOf(letter), 0)
}

function partsOf(group: readonly BuiltPage[]): PageParts {
  const rows = group.map(keptRow)
  const part = rows[0]?.part
  if (part?.count === group.length && rows.every((row) => row?.part === part)) {
    const keptPart = (name: string): Part => ({ name, text: () => part.read(name) })
    return { rows: keptPart(part.names.rows), said: keptPart(part.names.said) }
  }
  const sorted = [...group].sort((a, b) => (a.facts.id < b.facts.id ? -1 : 1))
  return {
    rows: partOf(sorted.map((page) => keptRow(page)?.row ?? rowOf(page)).join('\n')),
    said: partOf(sorted.map((page) => `${page.facts.id}\t${saidText(page)}`).join('\n')),
  }
}

function saidText(page: BuiltPage): string {
  return keptRow(page)?.part.said(page.facts.id) ?? JSON.stringify(page.said)
}

export function partOf(text: string): Part {
  return { name: createHash('sha256').update(text).digest('hex').slice(0, 32), text: () => text }
}

export function pagesIn(names: PagePartNames, read: ReadPart): readonly BuiltPage[] {
  const rows = read(names.rows).split('\n')
  const said = once(() => saidRows(read(names.said)))
  const part = { names, count: rows.length, said: (id: PageId) => said().get(id) ?? '', read }
  return rows.map((row) => keptPage({ part, row }))
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function saidRows(text: string): ReadonlyMap<PageId, string> {
  return new Map(
    text.split('\n').map((row) => {
      const end = row.indexOf('\t')
      return [row.slice(0, end) as PageId, row.slice(end + 1)]
    }),
  )
}

type MoreOfPage = Pick<
  BuiltPage,
  | 'digests'
  | 'redirects'
  | 'assets'
  | 'source'
  | 'publishedAt'
  | 'firstPublishedAt'
  | 'updatedAt'
  | 'placesAsked'
>

function rowOf(page: BuiltPage): string {
  const { facts, fed, isFound, line, sitemap, llms, card } = page
  const { digests, redirects, assets, source, publishedAt, firstPublishedAt, updatedAt, placesAsked } = page
  const more: MoreOfPage = {
    ...{ digests, redirects, assets, source, publishedAt, firstPublishedAt, updatedAt, placesAsked },
  }
  const columns = [{ facts, fed, isFound }, [sitemap, llms], card, more]
  const [head, ...others] = columns.map((column) => JSON.stringify(column))
  return [head, line, ...others].join('\t')
}

function keptPage(kept: KeptRow): BuiltPage {
  const columns = kept.row.split('\t')
  const { facts, fed, isFound }: Pick<BuiltPage, 'facts' | 'fed' | 'isFound'> = JSON.parse(columns[0] ?? '')
  const line = columns[1] ?? ''
  const own = {
    facts,
    fed,
    isFound,
    line,
    kept,
    columns,
    lines: null,
    ownCard: null,
    more: null,
    ownSaid: null,
  }
  return Object.setPrototypeOf(own satisfies KeptPage, LAZY)
}

/** What is shared by all pages that were read: a closure for each of their pieces would cost more than the pieces. */
const LAZY: Omit<BuiltPage, 'facts' | 'fed' | 'isFound' | 'line'> & ThisType<KeptPage> = {
  get sitemap() {
    return linesOf(this)[0]
  },
  get llms() {
    return linesOf(this)[1]
  },
  get card() {
    this.ownCard ??= JSON.parse(this.columns[3] ?? '') as BuiltPage['card']
    return this.ownCard
  },
  get digests() {
    return moreOf(this).digests
  },
  get redirects() {
    return moreOf(this).redirects
  },
  get assets() {
    return moreOf(this).assets
  },
  get source() {
    return moreOf(this).source
  },
  get publishedAt() {
    return moreOf(this).publishedAt
  },
  get firstPublishedAt() {
    return moreOf(this).firstPublishedAt
  },
  get updatedAt() {
    return moreOf(this).updatedAt
  },
  get placesAsked() {
    return moreOf(this).placesAsked
  },
  get said() {
    this.ownSaid ??= JSON.parse(this.kept.part.said(this.facts.id)) as PageSaid
    return this.ownSaid
  },
}

function linesOf(page: KeptPage): NonNullable<KeptPage['lines']> {
  page.lines ??= JSON.parse(page.columns[2] ?? '') as NonNullable<KeptPage['lines']>
  return page.lines
}

function moreOf(page: KeptPage): MoreOfPage {
  page.more ??= JSON.parse(page.columns[4] ?? '') as MoreOfPage
  return page.more
}

/** Everything written, a line each; null where there is no owner. */
export function filesText(files: ReadonlyMap<string, BuiltFile>): string {
  const lines: string[] = []
  for (const [key, { owner, digest }] of files)
    lines.push(`${digest}\t${owner?.kind ?? ''}\t${owner?.id ?? ''}\t${key}`)
  return lines.join('\n')
}

export function filesIn(text: string): ReadonlyMap<string, BuiltFile> {
  const files = new Map<string, BuiltFile>()
  if (text === '') return files
  let last: Owner | null = null
  // Split once, not once a line: that takes half as long.
  const columns = text.split(/[\t\n]/)
  const column = (at: number) => columns[at] ?? ''
  for (let at = 0; at < columns.length; at += 4) {
    const kind = column(at + 1)
    const owner: Owner | null = kind === '' ? null : ownerOf(kind as OwnerKind, column(at + 2), last)
    files.set(column(at + 3), { owner, digest: column(at) })
    last = owner
  }
  return files
}

/** Files of one owner mostly stand together. */
function ownerOf(kind: OwnerKind, id: string, last: Owner | null): Owner {
  return last?.kind === kind && last.id === id ? last : { kind, id }
}
