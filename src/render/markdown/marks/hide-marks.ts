import { findContainers } from './find-containers.ts'
import { findFormulas } from './find-formulas.ts'
import { type Mark, type MarkedSource, withoutPlaceholders } from './mark.ts'
import { sourceLines } from './source-lines.ts'

/**
 * Takes containers (`:::note`) and formulas (`$x$`) out of a source. Lines of containers get empty lines
 * around them, so that no list, quote or table before them takes them in.
 */
export function hideMarks(written: string): MarkedSource {
  const source = withoutPlaceholders(written)
  const [hasContainers, hasFormulas] = [source.includes(':::'), source.includes('$')]
  if (!hasContainers && !hasFormulas) return { source, marks: [] }

  const lines = sourceLines(source)
  const marks: Mark[] = []
  const containers = hasContainers ? findContainers(lines, marks) : new Map<number, string>()
  const shown = lines.flatMap(({ text, isCode }, index) => {
    const marked = containers.get(index)
    if (marked === undefined) return [{ text, isCode }]
    const empty = { text: blankBefore(text), isCode: false }
    return [empty, { text: marked, isCode: false }, empty]
  })
  return {
    source: (hasFormulas ? findFormulas(shown, marks) : shown.map(({ text }) => text)).join('\n'),
    marks,
  }
}

/** An empty line within the same quotes. */
function blankBefore(line: string): string {
  return /^[ \t>]*/.exec(line)?.[0].trimEnd() ?? ''
}
