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

/** Where a page was read, and its row as it stands there. */
interface KeptRow {
  readonly names: PagePartNames
  /** Pages of that part. */
  readonly count: number
  readonly row: string
  readonly said: () => string
  readonly read: ReadPart
}

/** Gives the text of a part by its name. */
export type ReadPart = (name: string) => string

const keptRows = new WeakMap<BuiltPage, KeptRow>()

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
  const first = group[0] && keptRows.get(group[0])
  const isKept = (page: BuiltPage) => keptRows.get(page)?.names.rows === first?.names.rows
  if (first !== undefined && first.count === group.length && group.every(isKept)) {
    const { names, read } = first
    const keptPart = (name: string): Part => ({ name, text: () => read(name) })
    return { rows: keptPart(names.rows), said: keptPart(names.said) }
  }
  const sorted = [...group].sort((a, b) => (a.facts.id < b.facts.id ? -1 : 1))
  return {
    rows: partOf(sorted.map((page) => keptRows.get(page)?.row ?? rowOf(page)).join('\n')),
    said: partOf(
      sorted
        .map((page) => `${page.facts.id}\t${keptRows.get(page)?.said() ?? JSON.stringify(page.said)}`)
        .join('\n'),
    ),
  }
}

export function partOf(text: string): Part {
  return { name: createHash('sha256').update(text).digest('hex').slice(0, 32), text: () => text }
}

export function pagesIn(names: PagePartNames, read: ReadPart): readonly BuiltPage[] {
  const rows = read(names.rows).split('\n')
  const said = once(() => saidRows(read(names.said)))
  return rows.map((row) => {
    const columns = row.split('\t')
    const { facts, fed, isFound }: Pick<BuiltPage, 'facts' | 'fed' | 'isFound'> = JSON.parse(columns[0] ?? '')
    const ownSaid = () => said().get(facts.id) ?? ''
    const page = lazyPage({ facts, fed, isFound }, columns, ownSaid)
    keptRows.set(page, { names, count: rows.length, row, said: ownSaid, read })
    return page
  })
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
  const { facts, fed, isFound, line, sitemap, llms, card, said: _, ...more } = page
  const columns = [{ facts, fed, isFound }, [sitemap, llms], card, more satisfies MoreOfPage]
  const [head, lines, ...others] = columns.map((column) => JSON.stringify(column))
  return [head, line, lines, ...others].join('\t')
}

function lazyPage(
  { facts, fed, isFound }: Pick<BuiltPage, 'facts' | 'fed' | 'isFound'>,
  [, line = '', lines = '', card = '', more = '']: readonly string[],
  said: () => string,
): BuiltPage {
  const ofLines = once((): [string | null, string | null] => JSON.parse(lines))
  const ofCard = once((): BuiltPage['card'] => JSON.parse(card))
  const ofMore = once((): MoreOfPage => JSON.parse(more))
  const ofSaid = once((): PageSaid => JSON.parse(said()))
  return {
    facts,
    fed,
    isFound,
    line,
    get sitemap() {
      return ofLines()[0]
    },
    get llms() {
      return ofLines()[1]
    },
    get card() {
      return ofCard()
    },
    get digests() {
      return ofMore().digests
    },
    get redirects() {
      return ofMore().redirects
    },
    get assets() {
      return ofMore().assets
    },
    get source() {
      return ofMore().source
    },
    get publishedAt() {
      return ofMore().publishedAt
    },
    get firstPublishedAt() {
      return ofMore().firstPublishedAt
    },
    get updatedAt() {
      return ofMore().updatedAt
    },
    get placesAsked() {
      return ofMore().placesAsked
    },
    get said() {
      return ofSaid()
    },
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
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
  for (const line of text.split('\n')) {
    const [digest = '', kind = '', id = '', key = ''] = line.split('\t')
    const owner: Owner | null = kind === '' ? null : { kind: kind as OwnerKind, id }
    files.set(key, { owner, digest })
  }
  return files
}
