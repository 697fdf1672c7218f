const FENCE = /^( {0,3}(?:> ?)*(?:[-*+] +|\d+[.)] +)* *)(`{3,}|~{3,})(.*)$/
const CODE_SPAN = /(`+)(?:[^`]|(?!\1(?!`))`)+?\1(?!`)/g

/** A stretch of Markdown: code is never changed. */
interface Stretch {
  readonly text: string
  readonly isCode: boolean
  /** In the body, from 0. */
  readonly line: number
}

/**
 * Change the text of a Markdown body outside of fenced code and code spans.
 *
 * @param change gets a stretch of text, and the line it begins at, from 0.
 */
export function mapProse(body: string, change: (text: string, line: number) => string): string {
  return stretches(body)
    .map(({ text, isCode, line }) => (isCode ? text : outsideSpans(text, line, change)))
    .join('')
}

function stretches(body: string): readonly Stretch[] {
  const found: Stretch[] = []
  let fence: string | null = null
  let current: string[] = []
  let start = 0
  const lines = body.split(/(?<=\n)/)
  for (const [index, line] of lines.entries()) {
    const [, , marks = '', info = ''] = FENCE.exec(line.trimEnd()) ?? []
    if (fence === null && marks !== '' && !(marks.startsWith('`') && info.includes('`'))) {
      end(index, false)
      fence = marks
      current.push(line)
    } else if (fence !== null && closes(marks, info, fence)) {
      current.push(line)
      fence = null
      end(index + 1, true)
    } else current.push(line)
  }
  end(lines.length, fence !== null)
  return found

  function end(next: number, isCode: boolean): void {
    if (current.length > 0) found.push({ text: current.join(''), isCode, line: start })
    current = []
    start = next
  }
}

function closes(marks: string, info: string, fence: string): boolean {
  return marks[0] === fence[0] && marks.length >= fence.length && info.trim() === ''
}

function outsideSpans(text: string, line: number, change: (text: string, line: number) => string): string {
  let at = 0
  let atLine = line
  let result = ''
  for (const { 0: span, index } of text.matchAll(CODE_SPAN)) {
    const before = text.slice(at, index)
    result += change(before, atLine) + span
    atLine += breaksIn(before + span)
    at = index + span.length
  }
  return result + change(text.slice(at), atLine)
}

export function breaksIn(text: string): number {
  return text.split('\n').length - 1
}
