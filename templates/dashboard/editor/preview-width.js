/** Where the browser remembers the choice. */
const STORED = 'quoin-preview-width'
/** Width of the window that the preview of a desktop shows, in pixels; the style sheet has the same. */
const DESKTOP = 1280
/** A preview that is narrower than this begins as that of a phone. */
const NARROW = 480

/** The switch above a preview: the layout of a phone, or that of a desktop, scaled to fit. */
export function openWidths(place) {
  const buttons = [...document.querySelectorAll('[data-widths] button')]
  if (buttons.length === 0) return
  const stored = read()
  // A preview that is hidden has no width.
  choose(stored ?? ((place.clientWidth || innerWidth) < NARROW ? 'phone' : 'desktop'))
  new ResizeObserver(scale).observe(place)
  for (const button of buttons)
    button.addEventListener('click', () => {
      choose(button.dataset.width)
      write(button.dataset.width)
    })
  buttons[0].parentElement.hidden = false

  function choose(width) {
    place.dataset.width = width
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.width === width))
    scale()
  }

  function scale() {
    place.style.setProperty('--scale', String(Math.min(1, place.clientWidth / DESKTOP)))
  }
}

/** Null where nothing is stored, or where the browser stores nothing. */
function read() {
  try {
    const stored = localStorage.getItem(STORED)
    return stored === 'phone' || stored === 'desktop' ? stored : null
  } catch {
    return null
  }
}

function write(width) {
  try {
    localStorage.setItem(STORED, width)
  } catch {
    // The choice holds for this page.
  }
}
