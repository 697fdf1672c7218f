/* The progress of a job, without loading the page again. Without this script the page reloads itself. */

/** Pause between two looks, in ms. */
const PAUSE_MS = 1_000
/** Longest pause, while the service does not answer. */
const MAX_PAUSE_MS = 30_000

const place = document.querySelector('[data-job]')
if (place !== null) follow(PAUSE_MS)

function follow(pause) {
  if (place.querySelector('[data-running]') === null) return
  setTimeout(() => void look(pause), pause)
}

async function look(pause) {
  let next = Math.min(pause * 2, MAX_PAUSE_MS)
  try {
    const answer = await fetch(place.dataset.job, { headers: { Accept: 'text/html' } })
    // The session has ended, or the job is not readable any more: the whole page says so.
    if (answer.redirected || answer.status === 401 || answer.status === 404) return location.reload()
    if (answer.ok) {
      show(await answer.text())
      next = PAUSE_MS
    }
  } catch {
    // No connection. The next look may have one.
  }
  follow(next)
}

/** Puts the progress in place, and keeps the focus where it is. */
function show(html) {
  const focused = place.contains(document.activeElement) ? document.activeElement.id : ''
  const shown = new DOMParser().parseFromString(html, 'text/html')
  place.replaceChildren(...shown.body.childNodes)
  if (focused !== '') document.getElementById(focused)?.focus()
}
