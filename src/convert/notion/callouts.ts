import { mapOutsideFences } from '../../page-text/map-prose.ts'
import { openingLine } from '../body/box-kinds.ts'
import { fenceStateAt } from '../mdx/fences.ts'

const OPENING = /^([ \t>]*(?:[-*+][ \t]+)?)<aside>[ \t]*(.*)$/
const CLOSING = /^[ \t>]*<\/aside>[ \t]*$/
/** An icon of Notion at the start of a callout. */
const ICON = /(<aside>(?:[ \t]*\n)?[ \t>]*)<img src="https:\/\/www\.notion\.so\/icons\/([\w-]+)\.svg"[^<>]*>/g
const ICON_MARK = /^([ \t>]*)<!-- icon ([\w-]+) -->[ \t]*/
const EMOJI = /^([ \t>]*)(\p{Extended_Pictographic}\uFE0F?|\p{Emoji_Presentation})[ \t]*(?=\S|$)/u

/** Kinds of boxes by the emoji that stands for them. Other ones stay in the text of a note. */
const KINDS: Readonly<Record<string, string>> = {
  '💡': 'tip',
  '✅': 'tip',
  ℹ: 'info',
  '📝': 'note',
  '📌': 'note',
  '⚠': 'warning',
  '🚧': 'warning',
  '❗': 'important',
  '❕': 'important',
  '‼': 'important',
  '❌': 'danger',
  '🚫': 'danger',
  '⛔': 'danger',
  '🛑': 'danger',
}
/** The same by the first word of the name of an icon of Notion. */
const ICONS: Readonly<Record<string, string>> = {
  info: 'info',
  alert: 'warning',
  warning: 'warning',
  light: 'tip',
  lightbulb: 'tip',
  checkmark: 'tip',
  exclamation: 'important',
  close: 'danger',
  delete: 'danger',
}

/** Writes icons of Notion as comments, so that they do not count as pictures of a page. */
export function markIcons(text: string): string {
  return mapOutsideFences(text, (prose) => prose.replace(ICON, '$1<!-- icon $2 -->'))
}

/**
 * Converts callouts to containers, a line for each line.
 *
 * @param onIcon receives the name of an icon that is left out, and its line.
 */
export function convertCallouts(
  lines: readonly string[],
  onIcon: (name: string, line: number) => void,
): readonly string[] {
  const isCode = fenceStateAt(lines)
  const closings = lines.map((line, index) => !isCode(index) && CLOSING.test(line))
  const isClosed = closedFrom(lines, closings, isCode)
  const result: string[] = []
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const [, start, inline = ''] = isClosed(index) ? (OPENING.exec(line) ?? []) : []
    if (start === undefined) {
      result.push(closings[index] === true && isClosed(index) ? line.replace('</aside>', ':::') : line)
      continue
    }
    const first = inline === '' ? (lines[index + 1] ?? '') : inline
    const { kind, text, icon } = withoutIcon(first)
    if (icon !== null) onIcon(icon, inline === '' ? index + 1 : index)
    result.push(`${start}${openingLine(kind, undefined)}`)
    if (inline !== '') result.push(`${start.replace(/[-*+]/, ' ')}${text}`)
    else if (text !== first) {
      result.push(text)
      index++
    }
  }
  return result
}

/** Tells of each line with a mark of a callout whether the mark has a counterpart. */
function closedFrom(
  lines: readonly string[],
  closings: readonly boolean[],
  isCode: (index: number) => boolean,
): (index: number) => boolean {
  const paired = new Set<number>()
  const open: number[] = []
  for (const [index, line] of lines.entries()) {
    if (closings[index] === true) {
      const start = open.pop()
      if (start !== undefined) paired.add(start).add(index)
    } else if (!isCode(index) && OPENING.test(line)) open.push(index)
  }
  return (index) => paired.has(index)
}

/** The first line of a callout without its icon, and the kind of the box. */
function withoutIcon(line: string): {
  readonly kind: string
  readonly text: string
  readonly icon: string | null
} {
  const [mark = '', indent = '', icon = null] = ICON_MARK.exec(line) ?? []
  if (icon !== null)
    return {
      kind: ICONS[/^[a-z]+/.exec(icon)?.[0] ?? ''] ?? 'note',
      text: indent + line.slice(mark.length),
      icon,
    }
  const [written = '', before = '', emoji = ''] = EMOJI.exec(line) ?? []
  const kind = KINDS[emoji.replace('\uFE0F', '')]
  return kind === undefined
    ? { kind: 'note', text: line, icon: null }
    : { kind, text: before + line.slice(written.length), icon: null }
}
