const FENCE = /^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(`{3,}|~{3,})(.*)$/

/**
 * Tells for the index of a line whether it is fenced code, the lines of the fence included. MDX allows any indentation.
 */
export function fenceStateAt(lines: readonly string[]): (index: number) => boolean {
  let open: string | null = null
  const states = lines.map((line) => {
    const [, marks = '', info = ''] = FENCE.exec(line) ?? []
    if (open === null) {
      if (marks === '' || (marks.startsWith('`') && info.includes('`'))) return false
      open = marks
      return true
    }
    if (marks[0] === open[0] && marks.length >= open.length && info.trim() === '') open = null
    return true
  })
  return (index) => states[index] ?? false
}

/** A run of lines that are all code or all prose. */
export interface Run {
  readonly text: string
  readonly isCode: boolean
  /** The index of the first line. */
  readonly line: number
}

/** Runs of code and prose in the order of the text. Joined by line breaks, they are the text. */
export function runsOf(body: string): readonly Run[] {
  const lines = body.split('\n')
  const isCode = fenceStateAt(lines)
  const runs: { lines: string[]; isCode: boolean; line: number }[] = []
  for (const [index, line] of lines.entries()) {
    const last = runs.at(-1)
    if (last !== undefined && last.isCode === isCode(index)) last.lines.push(line)
    else runs.push({ lines: [line], isCode: isCode(index), line: index })
  }
  return runs.map(({ lines: text, isCode: code, line }) => ({ text: text.join('\n'), isCode: code, line }))
}

/** Replaces each fenced block of code, given as its lines with those of the fence. */
export function mapCodeBlocks(
  body: string,
  replace: (block: readonly string[]) => readonly string[],
): string {
  return runsOf(body)
    .map(({ text, isCode }) => (isCode ? mapBlocks(text.split('\n'), replace) : text))
    .join('\n')
}

/** A run of code may hold several blocks. */
function mapBlocks(
  lines: readonly string[],
  replace: (block: readonly string[]) => readonly string[],
): string {
  let first = 0
  return lines
    .flatMap((line, index) => {
      const isEnd = index > first && FENCE.test(line) && /^[ \t>]*[`~]+[ \t]*$/.test(line)
      if (!isEnd) return []
      const block = lines.slice(first, index + 1)
      first = index + 1
      return replace(block)
    })
    .concat(lines.slice(first))
    .join('\n')
}
