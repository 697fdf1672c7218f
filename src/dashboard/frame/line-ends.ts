/** Splits at line ends and keeps them: lines are at even positions, their ends at odd ones. */
const ENDS = /(\r\n|\r|\n)/

interface Line {
  readonly text: string
  /** CRLF, CR or LF; empty for the last line. */
  readonly end: string
}

/** The text as forms have it: browsers show and send each line end as one break. */
export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text
}

/**
 * The text of a form with the line ends of the stored text, which forms do not keep. A line that stays has its own end,
 * a changed one that of the line that it replaces, and a new one that of the line above. Takes linear time.
 */
export function withLineEnds(text: string, stored: string): string {
  if (!stored.includes('\r')) return withLineFeeds(text)
  const [lines, before] = [linesOf(text), linesOf(stored)]
  const most = Math.min(lines.length, before.length)
  const start = commonLength(most, (at) => [lines[at], before[at]])
  const end = commonLength(most - start, (at) => [lines.at(-1 - at), before.at(-1 - at)])
  const ends = [
    ...before.slice(0, start).map((line) => line.end),
    ...matchedEnds(lines.slice(start, lines.length - end), before.slice(start, before.length - end)),
    ...before.slice(before.length - end).map((line) => line.end),
  ]
  return joined(lines, ends, before[0]?.end || '\n')
}

function linesOf(text: string): readonly Line[] {
  const parts = text.split(ENDS)
  return parts.flatMap((part, at) => (at % 2 === 0 ? [{ text: part, end: parts[at + 1] ?? '' }] : []))
}

function commonLength(most: number, pair: (at: number) => readonly [Line | undefined, Line | undefined]) {
  let length = 0
  for (; length < most; length += 1) {
    const [line, other] = pair(length)
    if (line?.text !== other?.text) break
  }
  return length
}

/** Ends of lines between the first and the last difference: by their text where it was stored, by their order elsewhere. */
function matchedEnds(lines: readonly Line[], before: readonly Line[]): readonly string[] {
  const sameText = new Map<string, number[]>()
  for (const [at, { text }] of before.entries()) {
    const others = sameText.get(text)
    if (others === undefined) sameText.set(text, [at])
    else others.push(at)
  }
  const next = new Map<string, number>()
  const matches = lines.map(({ text }) => {
    const turn = next.get(text) ?? 0
    next.set(text, turn + 1)
    return sameText.get(text)?.[turn] ?? null
  })
  const taken = new Set(matches)
  const replaced = before.filter((_, at) => !taken.has(at))
  let count = 0
  return matches.map((at) => (at === null ? replaced[count++]?.end : before[at]?.end) ?? '')
}

/** @param first the end of the first stored line, for new lines above all others. */
function joined(lines: readonly Line[], ends: readonly string[], first: string): string {
  const parts: string[] = []
  let previous = first
  for (const [at, { text }] of lines.entries()) {
    const isLast = at === lines.length - 1
    let end = isLast ? '' : ends[at] || previous
    // After CR alone, the LF of an empty line would be the second half of one break.
    if (at > 0 && previous === '\r' && text === '' && end === '\n') end = '\r'
    parts.push(text, end)
    previous = end
  }
  return parts.join('')
}
