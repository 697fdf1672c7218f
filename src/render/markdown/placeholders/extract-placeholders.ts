import { type FoundContainers, findContainers } from './find-containers.ts'
import { findFormulas } from './find-formulas.ts'
import { findHeadingIds } from './find-heading-ids.ts'
import { type ExtractedSource, type Placeholder, replaceReservedCharacters } from './placeholder.ts'
import { sourceLines } from './source-lines.ts'

const NO_CONTAINERS: FoundContainers = { lines: new Map(), diagnostics: [] }

/** Every line that ends a formula has two dollar signs. Shell commands often have one. */
const TWO_DOLLARS = /\$[^\n$]*\$/

/**
 * Replaces containers (`:::note`), heading ids (`{#install}`) and formulas (`$x$`) with placeholders.
 * Surrounds container lines with empty lines, so that preceding lists, quotes and tables do not absorb them.
 */
export function extractPlaceholders(text: string): ExtractedSource {
  const source = replaceReservedCharacters(text)
  const [hasContainers, hasFormulas] = [source.includes(':::'), TWO_DOLLARS.test(source)]
  const hasHeadingIds = source.includes('{#')
  if (!hasContainers && !hasFormulas && !hasHeadingIds) return { source, placeholders: [], diagnostics: [] }

  const placeholders: Placeholder[] = []
  const written = sourceLines(source)
  const lines = hasHeadingIds ? findHeadingIds(written, placeholders) : written
  const containers = hasContainers ? findContainers(lines, placeholders) : NO_CONTAINERS
  const shown = lines.flatMap((line, index) => {
    const marked = containers.lines.get(index)
    if (marked === undefined) return [line]
    const empty = { text: blankBefore(line.text), isCode: false }
    return [empty, { text: marked, isCode: false }, empty]
  })
  return {
    source: (hasFormulas ? findFormulas(shown, placeholders) : shown.map((line) => line.text)).join('\n'),
    placeholders: placeholders,
    diagnostics: containers.diagnostics,
  }
}

/** An empty line inside the same blockquotes. */
function blankBefore(line: string): string {
  return /^[ \t>]*/.exec(line)?.[0].trimEnd() ?? ''
}
