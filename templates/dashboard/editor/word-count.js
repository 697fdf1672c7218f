/** Pause in typing after which words are counted, in ms. */
const PAUSE_MS = 400
/** Words that people read in a minute. */
const SPEED = 200
/** Letters of scripts without spaces, each counted as half a word. */
const IDEOGRAPHS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_-]*/gu

/** Shows the words of a text and the minutes that reading takes. @param {{ counts: string }} words */
export function createWordCount({ counts }) {
  const place = document.querySelector('[data-counts]')
  let timer = 0
  return {
    request(doc) {
      clearTimeout(timer)
      timer = setTimeout(() => show(doc), PAUSE_MS)
    },
    show,
  }

  function show(doc) {
    if (place === null) return
    const count = countWords(doc.iterLines())
    const numbers = new Intl.NumberFormat(document.documentElement.lang)
    const minutes = Math.max(1, Math.round(count / SPEED))
    place.textContent =
      count === 0
        ? ''
        : counts.replace('{words}', numbers.format(count)).replace('{minutes}', numbers.format(minutes))
  }
}

/** @param {Iterable<string>} lines */
function countWords(lines) {
  let count = 0
  for (const line of lines) {
    const ideographs = line.match(IDEOGRAPHS)?.length ?? 0
    const rest = ideographs === 0 ? line : line.replaceAll(IDEOGRAPHS, ' ')
    count += ideographs / 2 + (rest.match(WORD)?.length ?? 0)
  }
  return Math.round(count)
}
