import { Prec } from '@codemirror/state'
import { EditorView, keymap, ViewPlugin } from '@codemirror/view'
import { blockTexts, insertBlock } from './blocks.js'
import { isInCode } from './in-code.js'

const TYPED = /^[ \t]*\/([\p{L}\p{N}-]*)$/u

/**
 * The menu of blocks that "/" opens at the start of a line. What is typed after it filters, the arrows choose, and Enter
 * inserts.
 *
 * @param {{ words: object, openPictures: () => void }} options
 * @returns {{ extension: object, open: (view: EditorView) => void }}
 */
export function slashMenu({ words, openPictures }) {
  const texts = blockTexts(words)
  const entries = Object.entries(words.blocks)
  const list = document.createElement('div')
  list.className = 'slash-menu'
  list.id = 'slash-menu'
  list.setAttribute('role', 'listbox')
  list.ariaLabel = words.insert
  list.hidden = true
  document.querySelector('main')?.append(list)
  let range = null
  let shown = []
  let chosen = 0

  const whenOpen = (run) => (view) => {
    if (range === null) return false
    run(view)
    return true
  }
  const move = (by) =>
    whenOpen((view) => {
      chosen = (chosen + by + shown.length) % shown.length
      // The name of the chosen entry is an attribute of the text.
      view.dispatch({})
      draw(view)
    })
  const keys = keymap.of([
    { key: 'ArrowDown', run: move(1) },
    { key: 'ArrowUp', run: move(-1) },
    { key: 'Enter', run: whenOpen((view) => choose(view, shown[chosen][0])) },
    { key: 'Tab', run: whenOpen((view) => choose(view, shown[chosen][0])) },
    { key: 'Escape', run: whenOpen(dismiss) },
  ])
  const follow = ({ view, state, docChanged, selectionSet, transactions }) => {
    if (!docChanged && !selectionSet) return
    const { head, empty } = state.selection.main
    const line = state.doc.lineAt(head)
    const [, query] = empty && head === line.to ? (TYPED.exec(line.text) ?? []) : []
    const isTyped = transactions.some((one) => one.isUserEvent('input.type'))
    if (query === undefined || (range === null && !(isTyped && query === '' && !isInCode(state, head))))
      return close()
    const wanted = query.toLowerCase()
    shown = entries.filter(([, name]) => name.toLowerCase().includes(wanted))
    if (shown.length === 0) return close()
    range = { from: line.from, to: line.to }
    chosen = 0
    view.requestMeasure({ read: () => view.coordsAtPos(line.from), write: (at) => draw(view, at) })
  }

  return {
    extension: [
      Prec.highest(keys),
      ViewPlugin.define(followScroll),
      EditorView.domEventHandlers({ blur: close }),
      EditorView.contentAttributes.of(() =>
        range === null
          ? null
          : { 'aria-controls': list.id, 'aria-activedescendant': `slash-${shown[chosen][0]}` },
      ),
    ],
    /** Opens the menu in a line of its own. */
    open(view) {
      const line = view.state.doc.lineAt(view.state.selection.main.head)
      const isBlank = line.text.trim() === ''
      const insert = isBlank ? '/' : '\n\n/'
      const from = isBlank ? line.from : line.to
      view.dispatch({
        changes: { from, to: line.to, insert },
        selection: { anchor: from + insert.length },
        userEvent: 'input.type',
        scrollIntoView: true,
      })
    },
  }

  /** @param {{ left: number, top: number, bottom: number } | null} at where the line is. */
  function draw(view, at = view.coordsAtPos(range.from)) {
    if (range === null || at === null) return
    list.replaceChildren(...shown.map(([kind, name], index) => option(view, kind, name, index === chosen)))
    list.hidden = false
    list.children[chosen].scrollIntoView({ block: 'nearest' })
    place(at)
  }

  /** The line moves under the menu: after a key at the end of the window, and when a keyboard opens. */
  function followScroll(view) {
    const move = () => {
      const at = range === null ? null : view.coordsAtPos(range.from)
      if (at !== null) place(at)
    }
    const events = new AbortController()
    const options = { capture: true, passive: true, signal: events.signal }
    addEventListener('scroll', move, options)
    addEventListener('resize', move, options)
    return { update: follow, destroy: () => events.abort() }
  }

  /** Below the line, or above it where there is no room. */
  function place(at) {
    const room = (window.visualViewport?.height ?? innerHeight) - at.bottom - 64
    const isBelow = room > Math.min(list.scrollHeight, 240)
    list.style.insetInlineStart = `${Math.max(8, Math.min(at.left, innerWidth - list.offsetWidth - 8))}px`
    list.style.insetBlockStart = isBelow
      ? `${at.bottom + 6}px`
      : `${Math.max(8, at.top - list.offsetHeight - 6)}px`
  }

  function option(view, kind, name, isChosen) {
    const row = document.createElement('div')
    row.id = `slash-${kind}`
    row.setAttribute('role', 'option')
    row.ariaSelected = String(isChosen)
    row.textContent = name
    // Before the text loses the focus.
    row.addEventListener('pointerdown', (event) => {
      event.preventDefault()
      choose(view, kind)
    })
    return row
  }

  function choose(view, kind) {
    const place = range
    close()
    if (kind === 'picture') {
      view.dispatch({ changes: { ...place, insert: '' }, userEvent: 'delete' })
      openPictures()
    } else insertBlock(view, texts[kind], place)
  }

  function dismiss(view) {
    close()
    view.dispatch({})
  }

  function close() {
    range = null
    list.hidden = true
  }
}
