import GithubSlugger from 'github-slugger'
import type { Element, ElementContent } from 'hast'
import type { UrlKind } from '../../../domain/author-url.ts'
import type { ComponentSchema } from '../../../domain/component.ts'
import type { Glossary } from '../../../domain/glossary.ts'
import type { ComponentView, Heading } from '../../../theme/view.ts'
import type { MarkdownDiagnostic } from '../markdown-diagnostic.ts'
import { ENGLISH_LABELS, type MarkdownLabels } from '../markdown-labels.ts'
import type { MarkdownTools } from '../markdown-tools.ts'

export interface EnhanceOptions {
  /**
   * Returns the URL to print for one the author wrote. Null drops the link or image and leaves its text. Not
   * called for links within the page (`#install`).
   */
  readonly href: (url: string, kind: UrlKind) => string | null
  /**
   * Title of the page, which the layout prints as the `h1`: a first heading that repeats it is removed, and
   * every other `h1` becomes an `h2`. Empty when the page has no such title. Without this option headings
   * keep their level.
   */
  readonly title?: string
  /** Number of levels added to each heading, for a text below a heading of the layout. */
  readonly headingShift?: number
  /** Ids of the layout around the body. Headings must not use them. */
  readonly reservedIds?: readonly string[]
  /** Prefix for every id, for documents that contain several bodies. */
  readonly idPrefix?: string
  /** True if the text is one line, in which a video or sound is a link. */
  readonly isInline?: boolean
  /**
   * URL of the page, for a text that is read elsewhere, as in a feed: links within the page lead to it, and headings
   * have no link to themselves.
   */
  readonly pageUrl?: string
  /** Words that rendering adds, in the page's language. Defaults to English. */
  readonly labels?: Partial<MarkdownLabels>
  /** Highlighter and formula renderer. Without them code and formulas stay as written. */
  readonly tools?: MarkdownTools
  /** Terms to explain where they first occur. */
  readonly glossary?: Glossary
  /** Components of the theme. Without them directives of unknown names stay text. */
  readonly components?: Components
}

/** The components of a theme, as far as a text needs them. */
export interface Components {
  readonly schemas: Pick<ReadonlyMap<string, ComponentSchema>, 'has' | 'get' | 'keys'>
  render(content: ComponentContent): string
}

type ComponentContent = Omit<ComponentView, 'lang' | 'filesHref'>

/** A component whose template runs when all links and ids of the page are known. */
export interface PendingComponent extends Pick<ComponentContent, 'name' | 'id' | 'attributes'> {
  readonly label: readonly ElementContent[] | null
  readonly body: readonly ElementContent[]
}

/** State of one `enhance` call. */
export interface EnhanceContext {
  readonly options: EnhanceOptions
  readonly slugger: GithubSlugger
  /** Ids that the layout uses. */
  readonly reserved: ReadonlySet<string>
  /** Ids that headings set with `{#id}`. Generated ids avoid them. */
  readonly explicitIds: ReadonlySet<string>
  /** Ids assigned so far, without the prefix. */
  readonly usedIds: Set<string>
  readonly headings: Heading[]
  readonly droppedUrls: string[]
  /** Formulas that failed to render, and code without colours, and why. */
  readonly diagnostics: MarkdownDiagnostic[]
  /** Links to videos and sounds in place of players. */
  readonly fileLinks: Set<Element>
  /** Origins of the pages of other sites that the document shows in frames. */
  readonly frames: Set<string>
  /** Links within the page. Their targets are resolved when all ids are known. */
  readonly fragmentLinks: Element[]
  /** Components that templates render at the end, by placeholder element. */
  readonly components: Map<Element, PendingComponent>
  /** Languages of code without colours. Each is looked up and reported once. */
  readonly plainLanguages: Set<string>
  tables: number
  tabs: number
  /** UTF-16 code units of code that may still be highlighted. */
  codeBudget: number
  /** UTF-16 code units of formulas that may still be rendered. */
  mathBudget: number
  diagrams: number
  /** UTF-16 code units of diagrams that may still be drawn. */
  diagramBudget: number
}

/** Highlighted code is at most 33 times as long as its source, so these budgets bound the size of a page. */
const MAX_HIGHLIGHTED_CODE = 49_152
const MAX_TYPESET_MATH = 16_384
const MAX_DRAWN_DIAGRAMS = 20_000

/** Returns the nodes that replace an element. Its children are enhanced already. */
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
    fileLinks: new Set(),
    frames: new Set(),
    fragmentLinks: [],
    components: new Map(),
    plainLanguages: new Set(),
    tables: 0,
    tabs: 0,
    codeBudget: MAX_HIGHLIGHTED_CODE,
    mathBudget: MAX_TYPESET_MATH,
    diagrams: 0,
    diagramBudget: MAX_DRAWN_DIAGRAMS,
  }
}

const NONE: readonly string[] = []
/** Caches one set per list, because all pages of a site share a list. */
const reservedSets = new WeakMap<readonly string[], ReadonlySet<string>>()

function cachedSet(ids: readonly string[]): ReadonlySet<string> {
  const known = reservedSets.get(ids)
  if (known !== undefined) return known
  const created = new Set(ids)
  reservedSets.set(ids, created)
  return created
}

/** The label `name` in the page's language. */
export function label(name: keyof MarkdownLabels, { options }: EnhanceContext): string {
  return options.labels?.[name] ?? ENGLISH_LABELS[name]
}

export function prefixedId(id: string, { options }: EnhanceContext): string {
  return `${options.idPrefix ?? ''}${id}`
}
