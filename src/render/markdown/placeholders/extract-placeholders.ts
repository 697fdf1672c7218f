import { mayHaveMarks } from '../../../page-text/inline-marks.ts'
import { findBadges, mayHaveBadges } from './find-badges.ts'
import { type ComponentNames, type FoundContainers, findContainers } from './find-containers.ts'
import { findDefinitions } from './find-definitions.ts'
import { findFormulas } from './find-formulas.ts'
import { findHeadingIds } from './find-heading-ids.ts'
import { findMarks } from './find-marks.ts'
import { type FoundPlayers, findPlayers } from './find-players.ts'
import { type ExtractedSource, type Placeholder, replaceReservedCharacters } from './placeholder.ts'
import { joinParagraphs, sourceLines } from './source-lines.ts'

const NONE: FoundContainers & FoundPlayers = { lines: new Map(), diagnostics: [] }

/** Every line that ends a formula has two dollar signs. Shell commands often have one. */
const TWO_DOLLARS = /\$[^\n$]*\$/
const PLAYER = /::(?:video|audio|youtube|vimeo|embed)/i
const COMPONENT = /^[ \t>]*::[ \t]*[a-z][\w-]*[ \t]*(?:[[{]|$)/m
const DEFINITION_LINE = /^[ \t>]*:[ \t]+\S/m

/**
 * Replaces containers (`:::note`), videos, sounds and pages of other sites (`::video{…}`), heading ids (`{#install}`),
 * formulas (`$x$`), the signs of definitions (`: text`) and short forms (`==marked==`) with placeholders. Surrounds
 * lines of containers, videos and sounds with empty lines, so that preceding lists, quotes and tables do not absorb
 * them.
 *
 * @param components names of components of the theme; null for none.
 */
export function extractPlaceholders(text: string, components: ComponentNames | null = null): ExtractedSource {
  const source = replaceReservedCharacters(text)
  const hasContainers = source.includes(':::') || (components !== null && COMPONENT.test(source))
  const hasFormulas = TWO_DOLLARS.test(source)
  const [hasPlayers, hasHeadingIds] = [PLAYER.test(source), source.includes('{#')]
  const [hasDefinitions, hasMarks] = [DEFINITION_LINE.test(source), mayHaveMarks(source)]
  const hasBadges = mayHaveBadges(source)
  const has = [hasContainers, hasFormulas, hasPlayers, hasHeadingIds, hasDefinitions, hasMarks, hasBadges]
  if (!has.includes(true)) return { source, placeholders: [], diagnostics: [] }

  const placeholders: Placeholder[] = []
  const written = sourceLines(source)
  const lines = hasHeadingIds ? findHeadingIds(written, placeholders) : written
  const containers = hasContainers ? findContainers(lines, placeholders, components) : NONE
  const players = hasPlayers ? findPlayers(lines, placeholders) : NONE
  const shown = lines.flatMap((line, index) => {
    const marked = containers.lines.get(index) ?? players.lines.get(index)
    if (marked === undefined) return [line]
    const empty = { text: blankBefore(line.text), isCode: false }
    return [empty, { text: marked, isCode: false }, empty]
  })
  const defined = hasDefinitions ? findDefinitions(shown, placeholders) : shown
  const paragraphs = hasFormulas || hasMarks || hasBadges ? joinParagraphs(defined) : defined
  const labelled = hasBadges ? findBadges(paragraphs, placeholders) : paragraphs
  const typeset = hasFormulas ? findFormulas(labelled, placeholders) : labelled
  const marked = hasMarks ? findMarks(typeset, placeholders) : typeset
  return {
    source: marked.map(({ text }) => text).join('\n'),
    placeholders,
    diagnostics: [...containers.diagnostics, ...players.diagnostics],
  }
}

/** An empty line inside the same blockquotes. */
function blankBefore(line: string): string {
  return /^[ \t>]*/.exec(line)?.[0].trimEnd() ?? ''
}
