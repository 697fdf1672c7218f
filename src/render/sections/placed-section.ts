import type { JsonObject } from '../../domain/json.ts'
import type { ListedPage } from '../../domain/live-page.ts'
import type { Section } from '../../domain/section.ts'

/** A section, its location in the content and its HTML id. */
export interface PlacedSection {
  readonly section: Section
  /** Location of its props in the content, e.g. `config.sections[2].props`. */
  readonly at: string
  /** HTML id, unique on the page. */
  readonly id: string
  /** Language of the page, BCP 47. */
  readonly lang: string
  /** The author's values, for a type that only the theme has; null for other types. */
  readonly own: JsonObject | null
  /** Pages that a `posts` section shows; empty for other types. */
  readonly posts: readonly ListedPage[]
  /** The page's Markdown, in place of a text of the section's own. */
  readonly bodyHtml?: string | undefined
  readonly headingLevel: 1 | 2
}
