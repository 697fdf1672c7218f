import { isInCode } from './in-code.js'
import { itemOf, listAround, renumbered } from './list-lines.js'

const QUOTE = /^[ \t]*(?:>[ \t]?)+/

/** Keys of lists and quotes. Each leaves a key that it has no use for to the next binding. */
export const LIST_KEYS = [
  { key: 'Enter', run: continueLine },
  { key: 'Tab', run: (view) => moveItem(view, true), shift: (view) => moveItem(view, false) },
]

/** Begins the next item or line of a quote; an empty one ends its list or quote. */
function continueLine(view) {
  const { state } = view
  const { main, ranges } = state.selection
  const line = state.doc.lineAt(main.head)
  const item = itemOf(line.text)
  const [quote = ''] = QUOTE.exec(line.text) ?? []
  const length = item?.length ?? quote.length
  if (ranges.length > 1 || length === 0 || main.from < line.from + length || isInCode(state, main.head))
    return false
  if (line.text.slice(length).trim() === '' && main.empty) return endLine(view, line, item, quote)
  const insert =
    item === null
      ? quote
      : line.text.slice(0, item.quote.length + item.indent) + nextMark(state.doc, line, item)
  const at = main.from + 1 + insert.length
  view.dispatch({
    changes: { from: main.from, to: main.to, insert: `\n${insert}` },
    selection: { anchor: at },
    scrollIntoView: true,
    userEvent: 'input',
  })
  if (item !== null && item.number !== null) renumber(view, at)
  return true
}

/** The mark of the item after this one, of which a list that repeats one number has the same. */
function nextMark(doc, line, item) {
  const task = item.isTask ? '[ ] ' : ''
  if (item.number === null) return item.mark + item.space + task
  const next = line.number < doc.lines ? itemOf(doc.line(line.number + 1).text) : null
  const repeats = next?.indent === item.indent && next.number === item.number
  return `${item.number + (repeats ? 0 : 1)}${item.delimiter}${item.space}${task}`
}

function endLine(view, line, item, quote) {
  if (item !== null && item.indent > 0) return moveItem(view, false)
  const kept = item === null ? '' : quote
  view.dispatch({
    changes: { from: line.from, to: line.to, insert: kept },
    selection: { anchor: line.from + kept.length },
    userEvent: 'delete',
  })
  return true
}

/** Moves the item of the caret and everything in it one level deeper or higher. */
function moveItem(view, isDeeper) {
  const { doc, selection } = view.state
  const line = doc.lineAt(selection.main.from)
  const item = itemOf(line.text)
  if (item === null || isInCode(view.state, line.from)) return false
  const { first, last } = listAround(doc, line.number)
  const target = targetIndent(doc, first, line.number, item, isDeeper)
  if (target === null || target === item.indent) return true
  const end = Math.max(doc.lineAt(selection.main.to).number, lastOfItem(doc, line.number, last, item))
  const changes = []
  for (let number = line.number; number <= end; number++) {
    const { from, text } = doc.line(number)
    if (text.trim() === '') continue
    const at = from + item.quote.length
    const spaces = /^[ \t]*/.exec(text.slice(item.quote.length))[0].length
    if (target > item.indent) changes.push({ from: at, insert: ' '.repeat(target - item.indent) })
    else changes.push({ from: at, to: at + Math.min(spaces, item.indent - target) })
  }
  // A list of its own starts with 1.
  if (item.number !== null && isDeeper) {
    const at = line.from + item.quote.length + item.indent
    changes.push({ from: at, to: at + String(item.number).length, insert: '1' })
  }
  view.dispatch({ changes, userEvent: 'indent', scrollIntoView: true })
  renumber(view, view.state.selection.main.head)
  return true
}

/** Blanks before the moved item: as far as the text of the item above, or as the item that contains it. */
function targetIndent(doc, first, number, item, isDeeper) {
  for (let at = number - 1; at >= first; at--) {
    const other = itemOf(doc.line(at).text)
    if (other === null || (isDeeper && other.indent > item.indent)) continue
    if (!isDeeper && other.indent >= item.indent) continue
    if (!isDeeper) return other.indent
    return other.indent === item.indent ? other.indent + other.mark.length + 1 : null
  }
  return isDeeper ? null : 0
}

function lastOfItem(doc, number, last, { quote, indent }) {
  let end = number
  for (let at = number + 1; at <= last; at++) {
    const text = doc.line(at).text.slice(quote.length)
    if (text.trim() === '') continue
    if (/^[ \t]*/.exec(text)[0].length <= indent) break
    end = at
  }
  return end
}

function renumber(view, position) {
  const { doc } = view.state
  const { first, last } = listAround(doc, doc.lineAt(position).number)
  const lines = []
  for (let number = first; number <= last; number++) lines.push(doc.line(number))
  const changes = renumbered(lines.map(({ text }) => text)).flatMap((text, at) => {
    const { from, text: before } = lines[at]
    if (text === before) return []
    const end = text.length - before.length
    const start = [...text].findIndex((letter, index) => letter !== before[index])
    const digits = /^\d*/.exec(before.slice(start))[0].length
    return [
      { from: from + start, to: from + start + digits, insert: text.slice(start, start + digits + end) },
    ]
  })
  if (changes.length > 0) view.dispatch({ changes, userEvent: 'input' })
}
