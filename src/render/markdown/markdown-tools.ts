import { type DrawDiagram, loadDrawDiagram } from './diagrams/draw-diagram.ts'
import {
  type Highlighter,
  type HighlightOptions,
  loadHighlighter,
  UNLIMITED_HIGHLIGHTING,
} from './highlight/highlighter.ts'
import { loadTypeset, type Typeset } from './math/typeset.ts'

/** Renderers, loaded only for pages that need them. */
export interface MarkdownTools extends Highlighter {
  readonly typeset: Typeset
  readonly drawDiagram: DrawDiagram
}

/**
 * Loads the renderers of code, formulas and diagrams that `sources` need. The first language takes about 0.2 s, the
 * first diagram 0.8 s; for other pages nothing is loaded.
 *
 * @param sources all text of a page that is rendered as Markdown.
 */
export async function loadMarkdownTools(
  sources: string,
  options: HighlightOptions = UNLIMITED_HIGHLIGHTING,
): Promise<MarkdownTools> {
  const [highlighter, typeset, drawDiagram] = await Promise.all([
    loadHighlighter(sources, options),
    loadTypeset(sources),
    loadDrawDiagram(sources),
  ])
  return { ...highlighter, typeset, drawDiagram }
}
