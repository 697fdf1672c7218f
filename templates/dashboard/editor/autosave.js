/** Pause in typing after which the draft is stored, in ms. */
const PAUSE_MS = 2_500
/** Fields that are stored by themselves. An address that is typed half is not. */
const FIELDS = ['title', 'markdown_content', 'description']

/**
 * Stores what is typed as the draft. A change of another person stops it until the form is saved.
 *
 * @returns {{ request: () => void, say: (text: string, isProblem?: boolean) => void, saveNow: () => boolean }}
 *   `saveNow` stores at once; false where only the form can.
 */
export function startAutosave(form, words) {
  const status = document.querySelector('[data-status]')
  const base = form.elements.namedItem('base')
  let timer = 0
  let isSaving = false
  let isStopped = !form.hasAttribute('data-autosave')
  let isChanged = false

  form.addEventListener('submit', ({ submitter }) => {
    if (submitter?.hasAttribute('data-preview')) return
    isStopped = true
    isChanged = false
    clearTimeout(timer)
  })
  addEventListener('beforeunload', (event) => {
    if (isChanged) event.preventDefault()
  })

  return {
    request,
    say,
    saveNow() {
      if (isStopped) return false
      clearTimeout(timer)
      void save()
      return true
    },
  }

  function say(text, isProblem = false) {
    if (status === null || status.title === text) return
    status.textContent = text
    status.title = text
    status.classList.toggle('is-problem', isProblem)
  }

  function request() {
    if (isStopped) return
    isChanged = true
    say(words.unsaved)
    clearTimeout(timer)
    timer = setTimeout(save, PAUSE_MS)
  }

  async function save() {
    if (isSaving || isStopped) return
    isSaving = true
    isChanged = false
    say(words.saving)
    try {
      const all = new FormData(form)
      const body = new URLSearchParams()
      for (const name of ['token', 'base', ...FIELDS])
        if (all.has(name)) body.set(name, String(all.get(name)))
      const answer = await fetch(form.action, {
        method: 'POST',
        headers: { Accept: 'application/json' },
        body,
      })
      // A page of an error is no JSON.
      const { base: next, message } = await answer.json().catch(() => ({ message: words.refused }))
      if (answer.ok) {
        if (base instanceof HTMLInputElement) base.value = next
        say(isChanged ? words.unsaved : words.saved)
      } else {
        isStopped = answer.status === 401 || answer.status === 403 || answer.status === 412
        isChanged = true
        say(message, true)
      }
    } catch {
      isChanged = true
      say(words.offline, true)
      timer = setTimeout(save, PAUSE_MS * 4)
    } finally {
      isSaving = false
      if (isChanged && !isStopped) timer = setTimeout(save, PAUSE_MS)
    }
  }
}
