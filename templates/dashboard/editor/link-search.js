const PAUSE_MS = 150

/** A dialog that finds pages of the project by their title, and hands the chosen one over. */
export function createLinkSearch(form, choose) {
  const dialog = document.querySelector('dialog[data-links]')
  const field = dialog?.querySelector('input')
  const list = dialog?.querySelector('ul')
  if (!(dialog instanceof HTMLDialogElement) || !field || !list) return { open: () => false }
  let timer = 0
  let asked = 0
  field.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(find, PAUSE_MS)
  })
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    // What the list shows may be of what was typed before.
    clearTimeout(timer)
    void find().then(() => list.querySelector('button')?.click())
  })

  return {
    open() {
      field.value = ''
      dialog.showModal()
      void find()
      return true
    },
  }

  async function find() {
    const turn = ++asked
    const typed = field.value.trim()
    const answer = await fetch(`${form.dataset.find}?${new URLSearchParams({ q: typed })}`)
    const pages = answer.ok ? await answer.json() : []
    if (turn !== asked) return
    const isAddress = /^(https?:\/\/|mailto:|\/|#)/.test(typed)
    list.replaceChildren(...[...(isAddress ? [{ title: typed, path: typed }] : []), ...pages].map(row))
  }

  function row(page) {
    const button = document.createElement('button')
    button.type = 'button'
    const path = document.createElement('span')
    path.className = 'quiet small'
    path.textContent = page.path
    button.append(page.title, ' ', path)
    button.addEventListener('click', () => {
      dialog.close()
      choose(page)
    })
    const item = document.createElement('li')
    item.append(button)
    return item
  }
}
