import { StateEffect, StateField } from '@codemirror/state'
import { Decoration, EditorView } from '@codemirror/view'

const FOUND = Decoration.mark({ class: 'md-found' })
const setFound = StateEffect.define()

/** Marks the place that was found; the selection is not shown while the bar has the focus. */
const foundMark = StateField.define({
  create: () => Decoration.none,
  update(marks, { changes, effects }) {
    const effect = effects.find((one) => one.is(setFound))
    if (effect === undefined) return marks.map(changes)
    return effect.value === null
      ? Decoration.none
      : Decoration.set(FOUND.range(effect.value.from, effect.value.to))
  },
  provide: (field) => EditorView.decorations.from(field),
})

/**
 * A bar that finds words in the whole text: the search of the browser sees only the lines on the screen.
 *
 * @returns {{ extension: object, open: (view: EditorView) => boolean }}
 */
export function createFindBar(words) {
  const bar = document.querySelector('form[data-find-bar]')
  const field = bar?.querySelector('input')
  const status = bar?.querySelector('output')
  if (!(bar instanceof HTMLFormElement) || !field || !status) return { extension: [], open: () => false }
  let view = null
  let position = 0

  bar.addEventListener('submit', (event) => {
    event.preventDefault()
    find(event.submitter?.value === 'previous' ? -1 : 1)
  })
  field.addEventListener('input', () => find(0))
  bar.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close()
    if (event.key !== 'Enter' || !event.shiftKey) return
    event.preventDefault()
    find(-1)
  })
  bar.querySelector('[data-close]')?.addEventListener('click', close)

  return {
    extension: foundMark,
    open(of) {
      view = of
      const { from, to } = view.state.selection.main
      position = from
      const selected = view.state.doc.sliceString(from, Math.min(to, from + 200))
      if (selected !== '' && !selected.includes('\n')) field.value = selected
      bar.hidden = false
      field.select()
      if (field.value !== '') find(0)
      return true
    },
  }

  /** @param {-1 | 0 | 1} step to the previous or next place, or to the first one from here. */
  function find(step) {
    const places = placesOf(view.state.doc.toString(), field.value)
    const after = places.findIndex(({ from }) => (step === 1 ? from > position : from >= position))
    // Behind the last place the first one follows, and before the first one the last.
    const found =
      (step === -1 ? places.at(after === -1 ? -1 : after - 1) : places.at(Math.max(after, 0))) ?? null
    status.textContent =
      field.value === ''
        ? ''
        : found === null
          ? words.notFound
          : words.found.replace('{at}', places.indexOf(found) + 1).replace('{count}', places.length)
    if (found !== null) position = found.from
    view.dispatch({
      effects: [
        setFound.of(found),
        ...(found === null ? [] : [EditorView.scrollIntoView(found.from, { y: 'center' })]),
      ],
    })
  }

  /** Leaves the bar with the place that was found selected. */
  function close() {
    bar.hidden = true
    let place = null
    view.state.field(foundMark).between(0, view.state.doc.length, (from, to) => {
      place = { anchor: from, head: to }
    })
    view.dispatch({ effects: setFound.of(null), ...(place !== null && { selection: place }) })
    view.focus()
  }
}

/** Where a text has words, in any case. */
function placesOf(text, wanted) {
  if (wanted === '') return []
  const pattern = new RegExp(wanted.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu')
  return [...text.matchAll(pattern)].map(({ index, 0: { length } }) => ({ from: index, to: index + length }))
}
