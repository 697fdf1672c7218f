import { StateField } from '@codemirror/state'

const FENCE = /^ {0,3}(:{3,})[ \t]*([\w-]*)/
const CODE = /^ {0,3}(`{3,}|~{3,})/
/** Names of containers with a colour; others have a plain bar. */
const TONES = {
  note: 'note',
  info: 'note',
  tip: 'tip',
  important: 'important',
  warning: 'warning',
  caution: 'caution',
  danger: 'caution',
}

/**
 * Containers such as `:::note` with the positions of their first and last lines, outer ones first. Changes that touch no
 * fence only move them, so that a key press reads no other lines.
 */
export const containers = StateField.define({
  create: ({ doc }) => findContainers(doc),
  update(found, { docChanged, changes, startState, newDoc }) {
    if (!docChanged) return found
    let isTouched = false
    changes.iterChangedRanges((fromA, toA, fromB, toB) => {
      isTouched ||= hasFence(startState.doc, fromA, toA) || hasFence(newDoc, fromB, toB)
    })
    if (isTouched) return findContainers(newDoc)
    return found.map((one) => ({ ...one, from: changes.mapPos(one.from, 1), to: changes.mapPos(one.to, -1) }))
  },
})

export function toneOf(kind) {
  return TONES[kind.toLowerCase()] ?? 'plain'
}

function hasFence(doc, from, to) {
  for (let { number } = doc.lineAt(from); number <= doc.lines; number++) {
    const line = doc.line(number)
    if (line.from > to) return false
    if (FENCE.test(line.text) || CODE.test(line.text)) return true
  }
  return false
}

/** @returns {readonly { from: number, to: number, kind: string, isClosed: boolean }[]} */
export function findContainers(doc) {
  const found = []
  const open = []
  let code = null
  let from = 0
  for (const text of doc.iterLines()) {
    const [, ticks] = text.includes('`') || text.includes('~') ? (CODE.exec(text) ?? []) : []
    if (code !== null) {
      if (ticks?.startsWith(code)) code = null
    } else if (ticks !== undefined) code = ticks
    else if (text.includes(':::')) {
      const [, , kind] = FENCE.exec(text) ?? []
      if (kind) {
        open.push({ from, to: doc.length, kind, isClosed: false })
        found.push(open.at(-1))
      } else if (kind === '' && open.length > 0)
        Object.assign(open.pop(), { to: from + text.length, isClosed: true })
    }
    from += text.length + 1
  }
  return found
}
