import type { ListedPage } from '../../domain/live-page.ts'
import type { Section } from '../../domain/section.ts'

/** A section and its place on the page. */
export interface PlacedSection {
  readonly section: Section
  /** Where its props were written, e.g. `config.sections[2].props`. */
  readonly at: string
  /** HTML id, unique on the page. */
  readonly id: string
  /** Language of the page, BCP 47. */
  readonly lang: string
  /** What a `posts` section shows; empty for the others. */
  readonly posts: readonly ListedPage[]
  readonly headingLevel: 1 | 2
}
