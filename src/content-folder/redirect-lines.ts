/*
 * A `redirects.yaml` is long, and each of its lines is a path and a target. A YAML parser compares each name with all others
 * and takes 8 s for 10,000 lines, which matching them by line takes 10 ms for. Other YAML is left to the parser.
 */

/** A text of a path or an address: in quotes without escapes, or without anything that means something in YAML. */
const TEXT = /"([^"\\\p{C}]*)"|'([^'\p{C}]*)'|((?:\/|https:)(?:[^\s"'#:\p{C}]|[#:](?=[^\s:#]))*)/u.source
const LINE = new RegExp(`^(?:${TEXT}):[ \\t]+(?:${TEXT})[ \\t]*(?:[ \\t]#.*)?$`, 'u')
const NO_LINE = /^[ \t]*(?:#.*)?$/

export interface RedirectLine {
  readonly from: string
  readonly to: string
  readonly line: number
}

/** The lines of a `redirects.yaml`; null for other YAML, and for a path that occurs twice. */
export function readRedirectLines(text: string): readonly RedirectLine[] | null {
  const lines = new Map<string, RedirectLine>()
  for (const [index, written] of text.split(/\r?\n/).entries()) {
    if (NO_LINE.test(written)) continue
    const found = LINE.exec(written)
    if (found === null) return null
    const [, ...parts] = found
    const [from, to] = [parts.slice(0, 3), parts.slice(3)].map((some) =>
      some.find((one) => one !== undefined),
    )
    if (from === undefined || to === undefined || lines.has(from)) return null
    lines.set(from, { from, to, line: index + 1 })
  }
  return [...lines.values()]
}
