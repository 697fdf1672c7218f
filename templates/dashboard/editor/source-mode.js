import { Compartment } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { richText } from './rich/rich-text.js'

/** Where the browser remembers that the source is shown. */
const STORED = 'quoin-source-shown'

/** The text as the page will be, or its plain source: the same buffer with other decorations. */
export function createSourceMode(options) {
  const part = new Compartment()
  const plain = EditorView.editorAttributes.of({ class: 'is-source' })
  let isSource = read()
  const shown = () => (isSource ? plain : richText(options))

  return {
    extension: part.of(shown()),
    /** Shows the choice on its button. */
    mark,
    /** @param {EditorView} view */
    toggle(view) {
      isSource = !isSource
      write()
      view.dispatch({ effects: part.reconfigure(shown()) })
      mark()
      return true
    },
  }

  function mark() {
    document.querySelector('button[data-tool="source"]')?.setAttribute('aria-pressed', String(isSource))
  }

  function write() {
    try {
      localStorage.setItem(STORED, isSource ? 'yes' : 'no')
    } catch {
      // The choice holds for this page.
    }
  }
}

function read() {
  try {
    return localStorage.getItem(STORED) === 'yes'
  } catch {
    return false
  }
}
