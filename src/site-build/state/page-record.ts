import type { PageId } from '../../domain/ids.ts'
import { saidIn, saidText } from '../spill/page-extract.ts'
import { keptText } from '../spill/spill-file.ts'
import type { BuiltPage, PageSaid } from './built-page.ts'

/*
 * A page as an earlier build kept it: understood a piece at a time, when somebody asks for that piece, and
 * written as it was read. Of each page there is a row, more of it in another part, and what it says in a
 * third. JSON has no tabs and line ends of its own.
 */

/** Gives the text of a part by its name. */
export type ReadPart = (name: string) => string

/** A part that was read, or may be. */
export interface KeptPart {
  readonly name: string
  readonly read: ReadPart
}

/** Some pages that were read together. */
export interface KeptRows extends KeptPart {
  /** How many. */
  readonly count: number
  /** All columns, one row after the other. */
  readonly columns: readonly string[]
  /** Columns of what more is kept of them, in the same order. */
  readonly more: KeptPart & { readonly columns: () => readonly string[] }
}

export interface KeptSaid extends KeptPart {
  /** Pages in it. */
  readonly count: number
  /** What a page of it says, as it stands there. */
  readonly said: (id: PageId) => string
}

/** Where a page was read; another for each page, even one that is nearly the same. */
export interface KeptPlace {
  readonly rows: KeptRows
  /** Of its row, and of more of it. */
  readonly place: number
  readonly saidIn: KeptSaid
}

/** A page with what of it was not understood so far. */
interface KeptPage extends FirstColumn, KeptPlace {
  lines: readonly [sitemap: string | null, llms: string | null] | null
  ownCard: BuiltPage['card'] | null
  more: MoreOfPage | null
  ownSaid: PageSaid | null
}

/** Null of a page that was made since. */
export function placeKept(page: BuiltPage): KeptPlace | null {
  return isLazy(page) ? page : null
}

function isLazy(page: object): page is KeptPage {
  return Object.getPrototypeOf(page) === LAZY
}

/** Columns of a row, and of more of it. */
export const IN_ROW = 2
const IN_MORE = 4

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

/** What all pages are asked for. */
type FirstColumn = Pick<BuiltPage, 'facts' | 'fed' | 'isFound'>

/** As it stands in a part, JSON between tabs. */
export function rowText(page: BuiltPage): string {
  const kept = placeKept(page)
  if (kept !== null) return rowAt(kept.rows.columns, kept.place, IN_ROW)
  const { facts, fed, isFound } = page
  const first: FirstColumn = { facts, fed, isFound }
  return [JSON.stringify(first), isListed(page) ? JSON.stringify(page.card) : ''].join('\t')
}

export function moreText(page: BuiltPage): string {
  const kept = placeKept(page)
  if (kept !== null) return rowAt(kept.rows.more.columns(), kept.place, IN_MORE)
  const { card, digests, redirects, assets, source, line, sitemap, llms } = page
  const { publishedAt, firstPublishedAt, updatedAt, placesAsked } = page
  const more: MoreOfPage = {
    ...{ digests, redirects, assets, source, publishedAt, firstPublishedAt, updatedAt, placesAsked },
  }
  const ownCard = isListed(page) ? '' : JSON.stringify(card)
  return [ownCard, JSON.stringify(more), line, JSON.stringify([sitemap, llms])].join('\t')
}

/** The cards of all articles are asked for by every build, those of other pages by few. */
function isListed({ facts }: BuiltPage): boolean {
  return facts.type === 'article'
}

function rowAt(columns: readonly string[], place: number, width: number): string {
  return columns.slice(place * width, (place + 1) * width).join('\t')
}

export function keptPage({ rows, place, saidIn }: KeptPlace): BuiltPage {
  const { facts, fed, isFound } = JSON.parse(inRow({ rows, place }, 0)) as FirstColumn
  const own = {
    facts,
    fed,
    isFound,
    rows,
    place,
    saidIn,
    lines: null,
    ownCard: null,
    more: null,
    ownSaid: null,
  }
  return Object.setPrototypeOf(own satisfies KeptPage, LAZY)
}

function inRow({ rows, place }: Pick<KeptPlace, 'rows' | 'place'>, column: number): string {
  return rows.columns[place * IN_ROW + column] ?? ''
}

function inMore({ rows, place }: KeptPlace, column: number): string {
  return rows.more.columns()[place * IN_MORE + column] ?? ''
}

/** What is shared by all pages that were read: a closure for each of their pieces would cost more than the pieces. */
const LAZY: Omit<BuiltPage, keyof FirstColumn> & ThisType<KeptPage> = {
  get line() {
    return inMore(this, 2)
  },
  get sitemap() {
    return linesOf(this)[0]
  },
  get llms() {
    return linesOf(this)[1]
  },
  get card() {
    this.ownCard ??= JSON.parse(inRow(this, 1) || inMore(this, 0)) as BuiltPage['card']
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
    this.ownSaid ??= saidIn(this.saidIn.said(this.facts.id))
    return this.ownSaid
  },
}

function linesOf(page: KeptPage): NonNullable<KeptPage['lines']> {
  page.lines ??= JSON.parse(inMore(page, 3)) as NonNullable<KeptPage['lines']>
  return page.lines
}

function moreOf(page: KeptPage): MoreOfPage {
  page.more ??= JSON.parse(inMore(page, 1)) as MoreOfPage
  return page.more
}

/** Of what was not understood so far, as it was read. */
export function saidTextOf(page: BuiltPage): string {
  const place = placeKept(page)
  if (place !== null) return place.saidIn.said(page.facts.id)
  const kept = keptText(page)
  return kept === null ? saidText(page.said) : kept.file.read(kept)
}
