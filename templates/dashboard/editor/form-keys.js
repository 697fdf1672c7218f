/** Keys that save the page and open the plan of a publish, in every field of the form. */
export function openFormKeys(form, autosave) {
  let isDetailed = false
  // Title, text and summary are stored without the form.
  document.addEventListener('input', ({ target }) => {
    if (target?.form === form && target.closest('[data-drawer]') !== null) isDetailed = true
  })
  const onKey = (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.isComposing) return
    if (document.querySelector('dialog[open]') !== null) return
    const isSave = event.key.toLowerCase() === 's' && !event.shiftKey
    if (!isSave && event.key !== 'Enter') return
    event.preventDefault()
    event.stopPropagation()
    if (!isSave) return submit(form, '[data-publish]') || submit(form, '[data-save]')
    return (!isDetailed && autosave.saveNow()) || submit(form, '[data-save]')
  }
  // Before the text, in which Ctrl+Enter would insert a line.
  document.addEventListener('keydown', onKey, true)
}

function submit(form, selector) {
  const button = document.querySelector(selector)
  if (!(button instanceof HTMLButtonElement)) return false
  form.requestSubmit(button)
  return true
}
