import GithubSlugger from 'github-slugger'
import type { Element, ElementContent } from 'hast'
import type { UrlKind } from '../../../domain/author-url.ts'
import type { Heading } from '../../../theme/view.ts'
import type { MarkdownDiagnostic } from '../markdown-diagnostic.ts'
import { ENGLISH_LABELS, type MarkdownLabels } from '../markdown-labels.ts'
import type { MarkdownTools } from '../markdown-tools.ts'

export interface EnhanceOptions {
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
  readonly labels?: Partial<MarkdownLabels>
  /** What shows code in colours and formulas as such; without them both stay as they were written. */
  readonly tools?: MarkdownTools
}

/** What is known so far of the tree being polished. */
export interface EnhanceContext {
  readonly options: EnhanceOptions
  readonly slugger: GithubSlugger
  /** Ids that the layout has. */
  readonly reserved: ReadonlySet<string>
  /** Ids that headings name themselves; no other heading is given one of them. */
  readonly explicitIds: ReadonlySet<string>
  /** Every id given so far, without the prefix of the options. */
  readonly usedIds: Set<string>
  readonly headings: Heading[]
  readonly droppedUrls: string[]
  /** Formulas that could not be read, and why. */
  readonly diagnostics: MarkdownDiagnostic[]
  /** Links within the page, pointed at their places when all ids are known. */
  readonly fragmentLinks: Element[]
  tables: number
  tabs: number
  /** How much code, in UTF-16 code units, may still be highlighted. */
  codeBudget: number
  /** How much of formulas, likewise, may still be set. */
  mathBudget: number
}

/** Code grows to at most 33 times its size, which this much of it may on any page. */
const MAX_HIGHLIGHTED_CODE = 49_152
const MAX_TYPESET_MATH = 16_384

/** What takes the place of an element whose children are polished already. */
export type Rewrite = (element: Element, context: EnhanceContext) => readonly ElementContent[]

export function createEnhanceContext(
  options: EnhanceOptions,
  explicitIds: ReadonlySet<string>,
): EnhanceContext {
  return {
    options,
    slugger: new GithubSlugger(),
    reserved: cachedSet(options.reservedIds ?? NONE),
    explicitIds,
    usedIds: new Set(),
    headings: [],
    droppedUrls: [],
    diagnostics: [],
    fragmentLinks: [],
    tables: 0,
    tabs: 0,
    codeBudget: MAX_HIGHLIGHTED_CODE,
    mathBudget: MAX_TYPESET_MATH,
  }
}

const NONE: readonly string[] = []
/** Thousands of pages have the same list. */
const reservedSets = new WeakMap<readonly string[], ReadonlySet<string>>()

function cachedSet(ids: readonly string[]): ReadonlySet<string> {
  const known = reservedSets.get(ids)
  if (known !== undefined) return known
  const made = new Set(ids)
  reservedSets.set(ids, made)
  return made
}

/** What the page says for `name`, in its language. */
export function label(name: keyof MarkdownLabels, { options }: EnhanceContext): string {
  return options.labels?.[name] ?? ENGLISH_LABELS[name]
}

export function prefixedId(id: string, { options }: EnhanceContext): string {
  return `${options.idPrefix ?? ''}${id}`
}
