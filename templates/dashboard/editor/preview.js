import { openWidths } from './preview-width.js'

/** Pause in typing after which the preview is drawn, in ms. */
const PAUSE_MS = 400
/** Longest wait for the empty frame, in ms. */
const EMPTY_MS = 50

/**
 * Draws what is typed by sending the form into a new frame, which replaces the one before once it has loaded: typing
 * never waits, nothing flickers, and the history of the browser has no entry for it.
 */
export function startPreview(form) {
  const button = document.querySelector('button[data-preview]')
  const place = document.querySelector('[data-preview-frame]')
  const first = place?.querySelector('iframe')
  if (!(button instanceof HTMLButtonElement) || first === null || first === undefined)
    return { request() {}, follow() {}, show() {} }
  button.hidden = true
  openWidths(place)
  const action = button.formAction
  let count = 0
  let timer = 0
  let isLoading = false
  let isOutdated = false
  let current = first
  let heading = () => ''
  draw()

  return {
    request() {
      clearTimeout(timer)
      timer = setTimeout(draw, PAUSE_MS)
    },
    /** Draws at once, for a preview that becomes visible. */
    show: draw,
    /** @param {() => string} of the id of the heading to scroll to. */
    follow(of) {
      heading = of
    },
  }

  function draw() {
    // One at a time: a slow page is not asked for again before it is there.
    isOutdated = isLoading
    if (isLoading || place.clientHeight === 0) return
    isLoading = true
    const next = current.cloneNode(false)
    next.name = `preview-${++count}`
    next.removeAttribute('src')
    next.classList.add('is-loading')
    // The first load is that of the empty frame, which not every browser reports.
    let isSent = false
    const begin = () => {
      if (isSent) return
      isSent = true
      send(next)
    }
    next.addEventListener('load', () => (isSent ? shown(next) : begin()))
    place.append(next)
    setTimeout(begin, EMPTY_MS)
  }

  function send(frame) {
    const sheet = new FormData(form)
    const id = heading()
    const copy = document.createElement('form')
    copy.method = 'post'
    copy.action = id === '' ? action : `${action}#${encodeURIComponent(id)}`
    copy.target = frame.name
    copy.hidden = true
    for (const [name, value] of sheet)
      if (typeof value === 'string') {
        const input = document.createElement('textarea')
        input.name = name
        input.value = value
        copy.append(input)
      }
    document.body.append(copy)
    copy.submit()
    copy.remove()
  }

  function shown(frame) {
    if (frame === current) return
    frame.classList.remove('is-loading')
    current.remove()
    current = frame
    isLoading = false
    if (isOutdated) draw()
  }
}
