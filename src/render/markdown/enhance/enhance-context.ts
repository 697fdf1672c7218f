import GithubSlugger from 'github-slugger'
import type { Element, ElementContent } from 'hast'
import type { UrlKind } from '../../../domain/author-url.ts'
import type { Heading } from '../../../theme/view.ts'
import type { MarkdownFault } from '../markdown-fault.ts'
import type { Tools } from '../tools.ts'
import { ENGLISH, type Words } from '../words.ts'

export interface PolishOptions {
  /**
   * The URL to print for one the author wrote; null drops the link or the image, but not its text.
   * Links to a place on the same page (`#install`) are not asked for.
   */
  readonly href: (url: string, kind: UrlKind) => string | null
  /**
   * Title of the page, printed elsewhere as its `h1`: a first heading that repeats it goes, and
   * every other `h1` becomes an `h2`. Give an empty text where there is no such title. Without
   * this option headings stay as they are.
   */
  readonly title?: string
  /** Ids that headings must not take, because the layout around the body has them. */
  readonly reservedIds?: readonly string[]
  /** Put before every id, where several bodies stand on one page. */
  readonly idPrefix?: string
  /** What is said in words on the page, in its language; English without it. */
  readonly words?: Partial<Words>
  /** What shows code in colours and formulas as such; without them both stay as they were written. */
  readonly tools?: Tools
}

/** What is known so far of the tree being polished. */
export interface Polishing {
  readonly options: PolishOptions
  readonly slugger: GithubSlugger
  /** Ids that the layout has. */
  readonly reserved: ReadonlySet<string>
  /** Ids that headings name themselves; no other heading is given one of them. */
  readonly headingIds: ReadonlySet<string>
  /** Every id given so far, without the prefix of the options. */
  readonly ids: Set<string>
  readonly headings: Heading[]
  readonly droppedUrls: string[]
  /** Formulas that could not be read, and why. */
  readonly faults: MarkdownFault[]
  /** Links within the page, pointed at their places when all ids are known. */
  readonly fragmentLinks: Element[]
  tables: number
  tabs: number
  /** How much code, in UTF-16 code units, may still be highlighted. */
  codeLeft: number
  /** How much of formulas, likewise, may still be set. */
  mathLeft: number
}

/** Code grows to at most 33 times its size, which this much of it may on any page. */
const MAX_CODE = 49_152
const MAX_MATH = 16_384

/** What takes the place of an element whose children are polished already. */
export type Rewrite = (element: Element, polishing: Polishing) => readonly ElementContent[]

export function startPolishing(options: PolishOptions, headingIds: ReadonlySet<string>): Polishing {
  return {
    options,
    slugger: new GithubSlugger(),
    reserved: setOf(options.reservedIds ?? NONE),
    headingIds,
    ids: new Set(),
    headings: [],
    droppedUrls: [],
    faults: [],
    fragmentLinks: [],
    tables: 0,
    tabs: 0,
    codeLeft: MAX_CODE,
    mathLeft: MAX_MATH,
  }
}

const NONE: readonly string[] = []
/** Thousands of pages have the same list. */
const sets = new WeakMap<readonly string[], ReadonlySet<string>>()

function setOf(ids: readonly string[]): ReadonlySet<string> {
  const known = sets.get(ids)
  if (known !== undefined) return known
  const made = new Set(ids)
  sets.set(ids, made)
  return made
}

/** What the page says for `name`, in its language. */
export function word(name: keyof Words, { options }: Polishing): string {
  return options.words?.[name] ?? ENGLISH[name]
}

export function prefixedId(id: string, { options }: Polishing): string {
  return `${options.idPrefix ?? ''}${id}`
}
