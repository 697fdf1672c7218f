import { mapCodeBlocks } from '../mdx/fences.ts'

/** A line that is a comment for Docusaurus. Source: https://docusaurus.io/docs/markdown-features/code-blocks#line-highlighting. */
const COMMENT =
  /^[ \t>]*(?:\/\/|#|--|%%?|'|REM|<!--|\/\*|\{\/\*)[ \t]*highlight-(next-line|start|end)[ \t]*(?:-->|\*\/\}?)?[ \t]*$/i
/** Lines that the fence names: comments are then lines of the code. */
const NAMED_LINES = /\{[\d,\s-]+\}/

/** Converts comments that mark lines of code, such as `// highlight-next-line`, to lines after its language. */
export function convertMarkedLines(body: string): string {
  return mapCodeBlocks(body, (lines) =>
    lines.some((line) => line.includes('highlight-')) ? markedBlock(lines) : lines,
  )
}

function markedBlock([open = '', ...rest]: readonly string[]): readonly string[] {
  if (NAMED_LINES.test(open)) return [open, ...rest]
  const code: string[] = []
  const marked: number[] = []
  let isMarking = false
  let isNext = false
  for (const line of rest) {
    const [, kind = ''] = COMMENT.exec(line) ?? []
    if (kind !== '') {
      isNext = kind === 'next-line'
      if (!isNext) isMarking = kind === 'start'
      continue
    }
    code.push(line)
    if (isMarking || isNext) marked.push(code.length)
    isNext = false
  }
  return marked.length === 0 ? [open, ...rest] : [`${open.trimEnd()} {${rangesOf(marked)}}`, ...code]
}

/** Numbers in ascending order as ranges: `1-3,5`. */
function rangesOf(numbers: readonly number[]): string {
  const ranges: [from: number, to: number][] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === number - 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(',')
}
