import { WidgetType } from '@codemirror/view'

/** The bullet of a list item, in place of its mark. */
class Bullet extends WidgetType {
  eq() {
    return true
  }
  toDOM() {
    const mark = document.createElement('span')
    mark.className = 'md-bullet'
    mark.ariaHidden = 'true'
    return mark
  }
}

export const BULLET = new Bullet()

/** The box of a task, which writes its mark. */
export class TaskBox extends WidgetType {
  /** @param {boolean} isDone @param {string} label */
  constructor(isDone, label) {
    super()
    this.isDone = isDone
    this.label = label
  }
  eq(other) {
    return other.isDone === this.isDone
  }
  toDOM(view) {
    const place = document.createElement('span')
    place.className = 'md-task'
    const box = document.createElement('input')
    box.type = 'checkbox'
    box.checked = this.isDone
    box.tabIndex = -1
    box.ariaLabel = this.label
    // The caret stays where it is.
    box.addEventListener('mousedown', (event) => event.preventDefault())
    box.addEventListener('click', () => toggleTask(view, view.posAtDOM(place)))
    place.append(box)
    return place
  }
  ignoreEvent() {
    return true
  }
}

/** Ticks the task of a line, or takes the tick away. @returns {boolean} whether the line has a task. */
export function toggleTask(view, position) {
  const { from, text } = view.state.doc.lineAt(position)
  const [mark, before = '', tick] = /^([\s>]*(?:[-*+]|\d+[.)])\s+\[)([ xX])\]/.exec(text) ?? []
  if (mark === undefined) return false
  const at = from + before.length
  view.dispatch({ changes: { from: at, to: at + 1, insert: tick === ' ' ? 'x' : ' ' } })
  return true
}

/** A picture below the line that names it. Those that cannot be shown here are a box with their text. */
export class Picture extends WidgetType {
  /** @param {{ address: string, alt: string, find: (address: string) => Promise<string | null> }} shown */
  constructor({ address, alt, find }) {
    super()
    this.address = address
    this.alt = alt
    this.find = find
  }
  eq(other) {
    return other.address === this.address && other.alt === this.alt
  }
  toDOM(view) {
    const place = document.createElement('span')
    place.className = 'md-picture'
    void this.find(this.address).then((source) => {
      if (source === null) {
        place.classList.add('is-missing')
        place.textContent = [this.alt, this.address].filter(Boolean).join(' · ')
      } else {
        const picture = document.createElement('img')
        picture.alt = this.alt
        picture.addEventListener('load', () => view.requestMeasure())
        picture.src = source
        place.append(picture)
      }
      view.requestMeasure()
    })
    place.addEventListener('mousedown', (event) => {
      event.preventDefault()
      const { to } = view.state.doc.lineAt(view.posAtDOM(place))
      view.dispatch({ selection: { anchor: to } })
      view.focus()
    })
    return place
  }
  ignoreEvent() {
    return true
  }
}
