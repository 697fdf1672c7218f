const PAUSE_MS = 150

/**
 * A dialog that finds pages or pictures of the project by what is typed, and hands the chosen one over.
 *
 * @param {string} kind of the dialog: `links` or `pictures`.
 * @param {{ source?: string, extra?: (typed: string) => readonly object[], choose: (found: object) => void }} options
 *   `extra` are entries for what was typed itself.
 */
export function createSearchDialog(kind, { source, extra = () => [], choose }) {
  const dialog = document.querySelector(`dialog[data-search="${kind}"]`)
  const field = dialog?.querySelector('input')
  const list = dialog?.querySelector('ul')
  if (!(dialog instanceof HTMLDialogElement) || !field || !list || source === undefined)
    return { open: () => false, close() {}, dialog: null }
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
    dialog,
    open() {
      field.value = ''
      dialog.showModal()
      void find()
      return true
    },
    close: () => dialog.close(),
  }

  async function find() {
    const turn = ++asked
    const typed = field.value.trim()
    const answer = await fetch(`${source}?${new URLSearchParams({ q: typed })}`)
    const found = answer.ok ? await answer.json() : []
    if (turn === asked) list.replaceChildren(...[...extra(typed), ...found].map(row))
  }

  function row(found) {
    const button = document.createElement('button')
    button.type = 'button'
    if (found.picture) {
      const picture = document.createElement('img')
      picture.src = found.picture
      picture.alt = ''
      button.append(picture)
    }
    const path = document.createElement('span')
    path.className = 'quiet small'
    path.textContent = found.path
    button.append(found.title, ' ', path)
    button.addEventListener('click', () => {
      dialog.close()
      choose(found)
    })
    const item = document.createElement('li')
    item.append(button)
    return item
  }
}
