import { type Highlight, loadHighlight } from './highlight/highlighter.ts'
import { loadTypeset, type Typeset } from './math/typeset.ts'

/** What takes too long to load for pages that do not need it. */
export interface MarkdownTools {
  readonly highlight: Highlight
  readonly typeset: Typeset
}

/**
 * Loads what the code and the formulas in `sources` need: some 0.2 s for a first language of code, nothing
 * where there are neither.
 *
 * @param sources every text of a page that is rendered as Markdown.
 */
export async function loadMarkdownTools(sources: string): Promise<MarkdownTools> {
  const [highlight, typeset] = await Promise.all([loadHighlight(sources), loadTypeset(sources)])
  return { highlight, typeset }
}
