import { hash } from 'node:crypto'
import { ID_ALPHABET, type PageId } from '../../domain/ids.ts'
import type { BuiltPage } from './built-page.ts'
import {
  IN_ROW,
  type KeptPart,
  type KeptPlace,
  type KeptRows,
  type KeptSaid,
  keptPage,
  moreText,
  placeKept,
  type ReadPart,
  rowText,
  saidTextOf,
} from './page-record.ts'

/*
 * What a build keeps of its pages lies in parts, each named by the hash of its text, so that the next one
 * writes only those that changed; and of each page in three, so that it reads only the one of all of them
 * that every build asks for.
 */

export interface Part {
  readonly name: string
  readonly text: () => string
}

/** The rows of some pages, more of each in the same order, and what those very pages say. */
export interface PageParts {
  readonly rows: Part
  readonly more: Part
  /** Less of it in each part, since it is longer. */
  readonly said: readonly SaidPart[]
}

interface SaidPart {
  readonly part: Part
  readonly count: number
}

/** Names of parts. */
export interface PagePartNames {
  readonly rows: string
  readonly more: string
  /** Of as many of the pages as each is about, in the order of their rows. */
  readonly said: readonly (readonly [name: string, count: number])[]
}

/** A part holds at most about so many pages: it is written anew for each that changes. */
const ROWS_A_PART = 192
const SAID_A_PART = 24

/** One part after the other, so that not all their texts are in memory at once. */
export function* pageParts(pages: ReadonlyMap<PageId, BuiltPage>): Generator<PageParts> {
  const count = partsFor(pages.size, ROWS_A_PART)
  const saidCount = partsFor(pages.size, SAID_A_PART)
  const groups: BuiltPage[][] = Array.from({ length: saidCount }, () => [])
  for (const [id, page] of pages) groups[placeOf(id) % saidCount]?.push(page)
  for (let place = 0; place < count; place += 1) {
    const within = groups.filter((group, at) => at % count === place && group.length > 0)
    if (within.length > 0) yield { ...rowsAndMore(within), said: within.map(saidPart) }
  }
}

/** A power of two, so that few pages more or less leave every page in its part. */
function partsFor(pages: number, most: number): number {
  let parts = 1
  while (parts * most < pages) parts *= 2
  return parts
}

function placeOf(id: PageId): number {
  return [...id.slice(0, 4)].reduce((place, letter) => place * 32 + ID_ALPHABET.indexOf(letter), 0)
}

/** @param groups in the order of what is said of them. */
function rowsAndMore(groups: readonly (readonly BuiltPage[])[]): Pick<PageParts, 'rows' | 'more'> {
  const kept = keptTogether(groups.flat())
  if (kept !== null) return { rows: keptPart(kept), more: keptPart(kept.more) }
  const pages = groups.flatMap(inOrder)
  return { rows: partOf(pages.map(rowText).join('\n')), more: partOf(pages.map(moreText).join('\n')) }
}

/** The rows that these pages and no others were read in, in this order; null where there are none such. */
function keptTogether(pages: readonly BuiltPage[]): KeptRows | null {
  const places = pages.map(placeKept)
  const rows = places[0]?.rows
  const isKept = (place: KeptPlace | null, index: number) => place?.rows === rows && place?.place === index
  return rows?.count === pages.length && places.every(isKept) ? rows : null
}

function saidPart(group: readonly BuiltPage[]): SaidPart {
  const parts = group.map((page) => placeKept(page)?.saidIn)
  const [first] = parts
  const isKept = first?.count === group.length && parts.every((part) => part === first)
  const text = () =>
    inOrder(group)
      .map((page) => `${page.facts.id}\t${saidTextOf(page)}`)
      .join('\n')
  return { part: isKept ? keptPart(first) : partOf(text()), count: group.length }
}

function keptPart({ name, read }: KeptPart): Part {
  return { name, text: () => read(name) }
}

function inOrder(pages: readonly BuiltPage[]): readonly BuiltPage[] {
  return [...pages].sort((a, b) => (a.facts.id < b.facts.id ? -1 : 1))
}

export function partOf(text: string): Part {
  return { name: hash('sha256', text, 'hex').slice(0, 32), text: () => text }
}

export function pagesIn({ rows: name, more, said }: PagePartNames, read: ReadPart): readonly BuiltPage[] {
  // Split once, not once a row: that takes half as long.
  const columns = read(name).split(COLUMN_END)
  const count = columns.length / IN_ROW
  const moreColumns = once(() => read(more).split(COLUMN_END))
  const rows: KeptRows = { name, count, read, columns, more: { name: more, read, columns: moreColumns } }
  const pages: BuiltPage[] = []
  for (const [name, count] of said) {
    const texts = once(() => saidRows(read(name)))
    const saidIn: KeptSaid = { name, count, read, said: (id) => texts().get(id) ?? '' }
    for (let rest = count; rest > 0; rest -= 1) pages.push(keptPage({ rows, place: pages.length, saidIn }))
  }
  return pages
}

const COLUMN_END = /[\t\n]/

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
