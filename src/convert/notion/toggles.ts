import { openingLine } from '../body/box-kinds.ts'
import { fenceStateAt } from '../mdx/fences.ts'

const OPENING = /^([ \t>]*(?:[-*+][ \t]+)?)<details(?:\s[^<>]*)?>[ \t]*(<summary>[^\n]*)?$/
const SUMMARY = /^[ \t>]*<summary>([^\n]*)<\/summary>[ \t]*$/
const CLOSING = /^[ \t>]*<\/details>[ \t]*$/

/** Converts toggles to containers, a line for each line. Those without a title or an end stay HTML. */
export function convertToggles(lines: readonly string[]): readonly string[] {
  const isCode = fenceStateAt(lines)
  const result = [...lines]
  const open: { readonly at: number; readonly titleAt: number }[] = []
  for (const [index, line] of lines.entries()) {
    if (isCode(index)) continue
    const opening = OPENING.exec(line)
    if (opening !== null) open.push({ at: index, titleAt: opening[2] === undefined ? index + 1 : index })
    else if (CLOSING.test(line)) {
      const last = open.pop()
      if (last !== undefined) close(last, index)
    }
  }
  return result

  function close({ at, titleAt }: { readonly at: number; readonly titleAt: number }, end: number): void {
    const [, start = '', inline] = OPENING.exec(lines[at] ?? '') ?? []
    const [, title] = SUMMARY.exec(inline ?? lines[titleAt] ?? '') ?? []
    if (title === undefined) return
    result[at] = `${start}${openingLine('details', title)}`
    if (titleAt !== at) result[titleAt] = ''
    result[end] = (lines[end] ?? '').replace('</details>', ':::')
  }
}
