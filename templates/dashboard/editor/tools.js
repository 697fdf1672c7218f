import { togglePrefix, toggleWrap } from './markdown-edits.js'
import { toggleTask } from './rich/widgets.js'

/** Tools that open a dialog, which takes the focus. */
const DIALOGS = ['link', 'picture', 'keys']

/** The buttons below the text, which the page has hidden: without a script they do nothing. */
export function openTools(view, { links, pictures, upload, source, keys, menu }) {
  const tools = document.querySelector('[data-tools]')
  if (!(tools instanceof HTMLElement)) return
  const picker = tools.querySelector('input[type=file]')
  const acts = {
    bold: () => toggleWrap('**')(view),
    italic: () => toggleWrap('_')(view),
    heading: () => togglePrefix(view, '## '),
    list: () => togglePrefix(view, '- '),
    task: () => toggleTask(view, view.state.selection.main.head) || togglePrefix(view, '- [ ] '),
    quote: () => togglePrefix(view, '> '),
    code: () => toggleWrap('`')(view),
    link: () => links.open(),
    picture: () => pictures.open(),
    insert: () => menu.open(view),
    source: () => source.toggle(view),
    keys: () => keys.open(),
  }
  // The keyboard of a phone stays where it is.
  tools.addEventListener('mousedown', (event) => event.preventDefault())
  tools.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button[data-tool]') : null
    if (button === null) return
    acts[button.dataset.tool]?.()
    if (!DIALOGS.includes(button.dataset.tool)) view.focus()
  })
  pictures.dialog?.querySelector('[data-upload]')?.addEventListener('click', () => picker?.click())
  picker?.addEventListener('change', () => {
    pictures.close()
    upload(picker.files, null)
    picker.value = ''
  })
  tools.hidden = false
}
