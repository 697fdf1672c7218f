/** Where the browser remembers whether the preview is shown. */
const STORED = 'quoin-preview-shown'

/**
 * The window around the text: the switch between writing and preview, the drawer, and the place of the tools over the
 * keyboard of a phone.
 */
export function openWritingView({ preview, focusText }) {
  openSwitch(preview)
  openDrawer()
  openTitle(focusText)
  followKeyboard()
}

function openSwitch(preview) {
  const place = document.querySelector('[data-views]')
  if (!(place instanceof HTMLElement)) return
  const buttons = [...place.querySelectorAll('button')]
  // On a phone the preview takes the place of the text, so writing comes first.
  show(innerWidth >= 1024 && read())
  place.hidden = false
  for (const button of buttons)
    button.addEventListener('click', () => {
      const isShown = button.dataset.view === 'preview' && !document.body.classList.contains('shows-preview')
      show(isShown)
      write(isShown)
    })

  function show(isShown) {
    document.body.classList.toggle('shows-preview', isShown)
    for (const button of buttons)
      button.setAttribute('aria-pressed', String((button.dataset.view === 'preview') === isShown))
    if (isShown) preview.show()
  }
}

/** The drawer closes by Escape, and the address under the title opens it at its field. */
function openDrawer() {
  const drawer = document.querySelector('[data-drawer]')
  if (!(drawer instanceof HTMLDetailsElement)) return
  drawer.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    drawer.open = false
    drawer.querySelector('summary')?.focus()
  })
  document.querySelector('[data-address]')?.addEventListener('click', (event) => {
    event.preventDefault()
    drawer.open = true
    document.getElementById('field-slug')?.focus()
  })
}

/** The title has one line, so Enter leads to the text. A new page starts with it. */
function openTitle(focusText) {
  const title = document.querySelector('.title-field')
  if (!(title instanceof HTMLTextAreaElement)) return
  if (title.value === '') title.focus()
  title.addEventListener('keydown', (event) => {
    if (event.isComposing || event.key !== 'Enter') return
    event.preventDefault()
    focusText()
  })
  if (CSS.supports('field-sizing', 'content')) return
  const grow = () => {
    title.style.blockSize = 'auto'
    title.style.blockSize = `${title.scrollHeight}px`
  }
  title.addEventListener('input', grow)
  grow()
}

/** Keeps the tools above the keyboard, which covers the lower part of the window. */
function followKeyboard() {
  const { visualViewport: shown } = window
  const tools = document.querySelector('[data-tools]')
  if (!shown || !(tools instanceof HTMLElement)) return
  const place = () => {
    const covered = Math.max(0, innerHeight - shown.height - shown.offsetTop)
    tools.style.setProperty('--keyboard', `${Math.round(covered)}px`)
  }
  shown.addEventListener('resize', place)
  shown.addEventListener('scroll', place)
}

function read() {
  try {
    return localStorage.getItem(STORED) === 'yes'
  } catch {
    return false
  }
}

function write(isShown) {
  try {
    localStorage.setItem(STORED, isShown ? 'yes' : 'no')
  } catch {
    // The choice holds for this page.
  }
}
