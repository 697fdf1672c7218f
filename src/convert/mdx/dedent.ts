import { fenceStateAt } from './fences.ts'

const OPENING = /^[ \t]*<([A-Za-z][\w.]*)?(?:[\s{].*)?(?<!\/)>[ \t]*$/
const CLOSING = /^[ \t]*<\/([A-Za-z][\w.]*)?\s*>[ \t]*$/
const MULTI_LINE_OPENING = /^[ \t]*<([A-Za-z][\w.]*)(?:\s[^<>]*)?$/
const VOID = /^(br|hr|img|input|meta|link|source|area|col|wbr)$/
/** An opening tag over more lines is text. */
const MAX_TAG_LINES = 60

/** Elements in more elements stay where they are. */
const MAX_OPEN = 200

interface Frame {
  readonly name: string
  /** The column of the tag after its own shift. */
  readonly column: number
  /** The columns to remove from the lines inside. Null until the first of them. */
  shift: number | null
}

/**
 * Moves lines inside of elements to the column of their tag: MDX ignores indentation, while Markdown reads four
 * columns as code. Opening tags over several lines are joined, with empty lines after them.
 */
export function dedentElements(body: string): string {
  const lines = joinedTags(body.split('\n'))
  const isCode = fenceStateAt(lines)
  const frames: Frame[] = []
  return lines
    .map((line, index) => {
      if (line.trim() === '') return line
      const closing = isCode(index) ? undefined : CLOSING.exec(line)
      if (closing && frames.some(({ name }) => name === (closing[1] ?? '')))
        while (frames.length > 0 && frames.pop()?.name !== (closing[1] ?? ''));
      const frame = frames.at(-1)
      if (frame !== undefined && frame.shift === null)
        frame.shift = Math.max(0, indentOf(line) - frame.column)
      const shift = Math.min(frame?.shift ?? 0, indentOf(line))
      const opening = isCode(index) ? null : OPENING.exec(line)
      const name = opening?.[1] ?? ''
      if (opening !== null && frames.length < MAX_OPEN && !VOID.test(name) && !line.includes(`</${name}`))
        frames.push({ name, column: indentOf(line) - shift, shift: null })
      return line.slice(shift)
    })
    .join('\n')
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

/** Puts each tag on one line, and as many empty lines after it as there were. */
function joinedTags(lines: readonly string[]): readonly string[] {
  const isCode = fenceStateAt(lines)
  const joined = [...lines]
  for (let index = 0; index < joined.length; index++) {
    if (isCode(index) || !MULTI_LINE_OPENING.test(joined[index] ?? '')) continue
    const rest = joined.slice(index + 1, index + MAX_TAG_LINES)
    const end = rest.findIndex((line) => /(?<![=-])>/.test(line))
    const tag = [joined[index], ...rest.slice(0, end + 1)]
    // Template literals keep their line breaks.
    if (end === -1 || tag.some((line) => line?.includes('`') || line?.trim() === '')) continue
    joined.fill('', index, index + end + 2)
    joined[index] = `${tag[0]} ${tag
      .slice(1)
      .map((line) => line?.trim())
      .join(' ')}`
    index += end + 1
  }
  return joined
}
