import type { Comparison } from '../convert/comparison/compare.ts'
import type { DiagnosticGroup } from '../convert/comparison/report.ts'
import type { Diagnostic } from '../domain/diagnostic.ts'
import { diagnosticLine } from './diagnostic-line.ts'
import { count } from './format-numbers.ts'

/* The lines of quoin convert about lost and kept content. */

/** Examples of each kind of warning on the terminal. The report has all. */
const EXAMPLES = 3

export function groupLines(groups: readonly DiagnosticGroup[]): readonly string[] {
  return groups.flatMap(({ code, kind, diagnostics }) => {
    if (diagnostics.length === 1) return [...diagnostics.map(diagnosticLine), '']
    const more = diagnostics.length - EXAMPLES
    return [
      `${diagnostics.length} × ${code} ${kind}`,
      ...diagnostics.slice(0, EXAMPLES).map((each) => `  ${diagnosticLine(each)}`),
      ...(more > 0 ? [`  … and ${more} more`] : []),
      '',
    ]
  })
}

/** One line for each page with losses. */
export function missingLines({ losses, unaccounted, missingPages }: Comparison): readonly string[] {
  const lines = [
    ...unaccounted.map((path) => `${path}: the file is not converted.`),
    ...missingPages.map((path) => `${path}: the new folder has no page for it.`),
    ...losses.map(({ source, words, links, pictures, codeBlocks }) => {
      const parts = [
        ...named(words, 'word', 8),
        ...named(links, 'link', 3),
        ...named(pictures, 'picture', 3),
        ...(codeBlocks === 0 ? [] : [count(codeBlocks, 'code block')]),
      ]
      return `${source}: ${parts.join(', ')} missing.`
    }),
  ]
  return lines.length === 0 ? [] : [...lines, '']
}

/** The number of things, and the first of them. Nothing if there are none. */
function named(things: readonly string[], noun: string, most: number): readonly string[] {
  if (things.length === 0) return []
  const more = things.length > most ? ', …' : ''
  return [`${count(things.length, noun)} (${things.slice(0, most).join(', ')}${more})`]
}

export function presentLoss({ code, file, line, message }: Diagnostic) {
  return { code, file, line, what: message }
}

export function presentComparison({
  pages,
  words,
  links,
  pictures,
  codeBlocks,
  accounts,
  hidden,
  losses,
  missingPages,
  unaccounted,
  unread,
}: Comparison) {
  return {
    pages,
    words,
    links,
    pictures,
    code_blocks: codeBlocks,
    published: accounts.map(({ kind, total, changed, lost }) => ({
      kind,
      total,
      changed: Object.fromEntries(changed),
      lost: lost.map(({ name, file, line }) => ({ name, file, line })),
    })),
    hidden,
    missing_pages: [...missingPages, ...unaccounted, ...unread],
    losses: losses.map(({ source, file, words: w, links: l, pictures: p, codeBlocks: c }) => ({
      source,
      file,
      words: w.slice(0, 100),
      links: l,
      pictures: p,
      code_blocks: c,
    })),
  }
}
