import { startAutosave } from './autosave.js'
import { openFormKeys } from './form-keys.js'
import { useLocalTime } from './local-time.js'
import { startPreview } from './preview.js'
import { openTextEditor } from './text-editor.js'
import { openWritingView } from './writing-view.js'

/*
 * The live editor of a page. The text area stays the field of the form: without this script, and if it fails, the page is
 * written in it.
 */

const form = document.querySelector('form[data-live]')
useLocalTime()
if (form instanceof HTMLFormElement) openForm(form)

/** @param {HTMLFormElement} form */
function openForm(form) {
  const words = JSON.parse(form.dataset.words ?? '{}')
  const preview = startPreview(form)
  const autosave = startAutosave(form, words)
  const onChange = () => {
    preview.request()
    autosave.request()
  }
  // Fields of the drawer are of the form, and not in it.
  document.addEventListener('input', ({ target }) => {
    if (target?.form === form) onChange()
  })
  openFormKeys(form, autosave)
  const field = form.querySelector('textarea[name="markdown_content"]')
  const focusText =
    field instanceof HTMLTextAreaElement
      ? openTextEditor({ form, field, words, preview, autosave, onChange })
      : () => {}
  openWritingView({ preview, focusText })
}
