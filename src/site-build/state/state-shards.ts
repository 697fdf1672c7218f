import { hash } from 'node:crypto'
import { ID_ALPHABET, type PageId } from '../../domain/ids.ts'
import type { BuiltPage, PageDetails, PageRecord } from './built-page.ts'

/*
 * The pages of a build state in files. Each shard is named by the hash of its text, so a build writes only changed
 * shards. Details and extracts of pages have shards of their own: to read and parse them takes an incremental build of
 * 4,000 pages a fifth of its time, and it needs few of them.
 */

export interface Shard {
  readonly name: string
  readonly text: () => string
}

/** The records of some pages, and the details and extracts of the same pages. */
export interface PageShards {
  readonly records: Shard
  readonly details: Shard
  /** Extracts are larger than records, so a shard holds 24 pages instead of 192. */
  readonly extracts: readonly ExtractShard[]
}

interface ExtractShard {
  readonly shard: Shard
  /** Pages in it. */
  readonly count: number
}

export interface PageShardNames {
  readonly records: string
  readonly details: string
  /** With the number of pages in each, in the order of their records. */
  readonly extracts: readonly (readonly [name: string, count: number])[]
}

/** Returns the text of a shard. */
export type ReadShard = (name: string) => string

/** A shard is written again whenever one of its pages changes. */
const RECORDS_A_SHARD = 192
const EXTRACTS_A_SHARD = 24

/** Shards that a page was read from. A changed page is another object, so it has none. */
interface Origin {
  readonly records: StoredShard
  readonly details: StoredShard
  readonly extracts: StoredShard
}

interface StoredShard extends Shard {
  /** Pages in it. */
  readonly count: number
}

const origins = new WeakMap<BuiltPage, Origin>()

/** Yields one group at a time, so that not all texts are in memory at once. */
export function* pageShards(pages: ReadonlyMap<PageId, BuiltPage>): Generator<PageShards> {
  const count = shardsFor(pages.size, RECORDS_A_SHARD)
  const extractCount = shardsFor(pages.size, EXTRACTS_A_SHARD)
  const groups: BuiltPage[][] = Array.from({ length: extractCount }, () => [])
  for (const [id, page] of pages) groups[hashOf(id) % extractCount]?.push(page)
  for (let index = 0; index < count; index += 1) {
    const within = groups.filter((group, at) => at % count === index && group.length > 0).map(sortedById)
    if (within.length > 0) yield { ...recordShards(within.flat()), extracts: within.map(extractShard) }
  }
}

/** A power of two, so that a few pages more or less leave every page in its shard. */
function shardsFor(pages: number, most: number): number {
  let shards = 1
  while (shards * most < pages) shards *= 2
  return shards
}

function hashOf(id: PageId): number {
  return [...id.slice(0, 4)].reduce((value, letter) => value * 32 + ID_ALPHABET.indexOf(letter), 0)
}

function sortedById(pages: readonly BuiltPage[]): readonly BuiltPage[] {
  return [...pages].sort((a, b) => (a.facts.id < b.facts.id ? -1 : 1))
}

function recordShards(pages: readonly BuiltPage[]): Pick<PageShards, 'records' | 'details'> {
  return {
    records: unchangedShard(pages, 'records') ?? shardOf(pages.map(recordText).join('\n')),
    details:
      unchangedShard(pages, 'details') ??
      shardOf(pages.map((page) => JSON.stringify(page.details())).join('\n')),
  }
}

function recordText({ facts, card, source, fed, isFound }: PageRecord): string {
  const record: PageRecord = { facts, card, source, fed, isFound }
  return JSON.stringify(record)
}

function extractShard(pages: readonly BuiltPage[]): ExtractShard {
  const text = () => pages.map((page) => `${page.facts.id}\t${page.extractText()}`).join('\n')
  return { shard: unchangedShard(pages, 'extracts') ?? shardOf(text()), count: pages.length }
}

/** The shard that these pages and no others were read from; null if there is none. */
function unchangedShard(pages: readonly BuiltPage[], kind: keyof Origin): Shard | null {
  const shards = new Set(pages.map((page) => origins.get(page)?.[kind]))
  const [shard] = shards
  return shard !== undefined && shards.size === 1 && shard.count === pages.length ? shard : null
}

export function shardOf(text: string): Shard {
  return { name: hash('sha256', text, 'hex').slice(0, 32), text: () => text }
}

export function readPages(
  { records, details, extracts }: PageShardNames,
  read: ReadShard,
): readonly BuiltPage[] {
  const lines = read(records).split('\n')
  const detailLines = once(() => read(details).split('\n'))
  const stored = (name: string, count: number): StoredShard => ({ name, count, text: () => read(name) })
  const [recordsShard, detailsShard] = [stored(records, lines.length), stored(details, lines.length)]
  let next = 0
  return extracts.flatMap(([name, count]) => {
    const origin = { records: recordsShard, details: detailsShard, extracts: stored(name, count) }
    const texts = once(() => extractLines(read(name)))
    const first = next
    next += count
    return lines.slice(first, next).map((line, index): BuiltPage => {
      const record: PageRecord = JSON.parse(line)
      const page: BuiltPage = {
        ...record,
        details: once((): PageDetails => JSON.parse(detailLines()[first + index] ?? '')),
        extractText: () => texts().get(record.facts.id) ?? '',
      }
      origins.set(page, origin)
      return page
    })
  })
}

function extractLines(text: string): ReadonlyMap<PageId, string> {
  return new Map(
    text.split('\n').map((line) => {
      const end = line.indexOf('\t')
      return [line.slice(0, end) as PageId, line.slice(end + 1)]
    }),
  )
}

function once<Value>(work: () => Value): () => Value {
  let result: { readonly value: Value } | null = null
  return () => {
    result ??= { value: work() }
    return result.value
  }
}
