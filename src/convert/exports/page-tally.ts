import { splitFrontMatter } from '../../page-text/front-matter.ts'
import type { PageLosses } from '../comparison/compare.ts'
import { compareEntry, type RenderText } from './compare-entry.ts'
import type { ExportedEntry } from './exported-site.ts'
import type { SiteLinks } from './site-links.ts'

interface Sum {
  total: number
  missing: number
}

/** Sums over all compared pages. */
export interface Sums {
  readonly words: Sum
  readonly links: Sum
  readonly pictures: Sum
  readonly codeBlocks: Sum
  readonly headings: Sum
  readonly lostHeadings: { readonly name: string; readonly line: number | null }[]
}

interface TallyPorts {
  readonly links: SiteLinks
  readonly render: RenderText
  /** Reads a file of the new folder. Null when there is none. */
  readonly textOf: (path: string) => string | null
}

/** Pages with losses that a report names. All are counted. */
const MAX_LOSSES = 1_000

/** Compares pages with their entries, one after the other, and adds up what is missing. */
export function createPageTally({ links, render, textOf }: TallyPorts) {
  const losses: PageLosses[] = []
  const missingPages: string[] = []
  const unmeasured: string[] = []
  const sums: Sums = {
    words: nothing(),
    links: nothing(),
    pictures: nothing(),
    codeBlocks: nothing(),
    headings: nothing(),
    lostHeadings: [],
  }
  return {
    sums,
    losses,
    /** Addresses without a page in the new folder. */
    missingPages,
    /** Addresses of entries that are too complex to be compared. */
    unmeasured,

    compare(entry: ExportedEntry, file: string): void {
      const text = textOf(file)
      if (text === null) missingPages.push(entry.address)
      const notes = [...(entry.footnotes?.values() ?? [])].join(' ')
      const compared = compareEntry(
        entry.html + notes,
        text === null ? null : splitFrontMatter(text).body,
        links,
        render,
      )
      if (compared === null) return void unmeasured.push(entry.address)
      const { before, missing } = compared
      add(sums.words, before.words.length, missing.words.length)
      add(sums.links, before.links.length, missing.links.length)
      add(sums.pictures, before.pictures.length, missing.pictures.length)
      add(sums.codeBlocks, before.codeBlocks, missing.codeBlocks)
      add(sums.headings, before.headings.length, missing.headings.length)
      for (const name of missing.headings) sums.lostHeadings.push({ name, line: entry.line })
      const { headings: _, ...lost } = missing
      const count = lost.words.length + lost.links.length + lost.pictures.length + lost.codeBlocks
      if (count > 0 && losses.length < MAX_LOSSES) losses.push({ source: entry.address, file, ...lost })
    },
  }
}

function nothing(): Sum {
  return { total: 0, missing: 0 }
}

function add(sum: Sum, total: number, missing: number): void {
  sum.total += total
  sum.missing += missing
}
