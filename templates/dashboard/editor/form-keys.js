/** Keys that save the page and open the plan of a publish, in every field of the form. */
export function openFormKeys(form, autosave) {
  let isDetailed = false
  // Title, text and summary are stored without the form.
  document.addEventListener('input', ({ target }) => {
    if (target?.form === form && target.closest('[data-drawer]') !== null) isDetailed = true
  })
  document.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.isComposing) return
    if (document.querySelector('dialog[open]') !== null) return
    if (event.key.toLowerCase() === 's' && !event.shiftKey) {
      event.preventDefault()
      if (isDetailed || !autosave.saveNow()) submit(form, '[data-save]')
    } else if (event.key === 'Enter') {
      event.preventDefault()
      submit(form, '[data-publish]') || submit(form, '[data-save]')
    }
  })
}

function submit(form, selector) {
  const button = document.querySelector(selector)
  if (!(button instanceof HTMLButtonElement)) return false
  form.requestSubmit(button)
  return true
}
