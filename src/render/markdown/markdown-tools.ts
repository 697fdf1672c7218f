import {
  type Highlighter,
  type HighlightOptions,
  loadHighlighter,
  UNLIMITED_HIGHLIGHTING,
} from './highlight/highlighter.ts'
import { loadTypeset, type Typeset } from './math/typeset.ts'

/** Renderers that are loaded only for pages that need them. */
export interface MarkdownTools extends Highlighter {
  readonly typeset: Typeset
}

/**
 * Loads the highlighter and the formula renderer if `sources` need them. The first language takes about 0.2
 * s; without code and formulas nothing is loaded.
 *
 * @param sources all text of a page that is rendered as Markdown.
 */
export async function loadMarkdownTools(
  sources: string,
  options: HighlightOptions = UNLIMITED_HIGHLIGHTING,
): Promise<MarkdownTools> {
  const [highlighter, typeset] = await Promise.all([loadHighlighter(sources, options), loadTypeset(sources)])
  return { ...highlighter, typeset }
}
