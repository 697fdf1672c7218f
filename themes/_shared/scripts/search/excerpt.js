// Excerpts around the words of a query, read from the page itself, so that the index need not contain the text.
import { isForm } from './forms.js'
import { folded } from './words.js'

// Characters before the first match, about one line of a narrow screen, and in total.
const BEFORE = 40
const MOST = 240
const MOST_BLOCKS = 500
const MOST_PAGES = 50
// Elements that are not in the index either.
const LEFT_OUT =
  'script, style, template, noscript, svg, annotation, nav, button, select, textarea, iframe, object, audio, video, [aria-hidden="true"], .toggle, .byline-facts, .page-actions, .page-tools, .tags, .sr-only'
const HEADINGS = 'h1, h2, h3, h4, h5, h6'
const INLINE =
  'a, abbr, b, bdi, bdo, cite, code, data, del, dfn, em, i, ins, kbd, mark, q, s, samp, small, span, strong, sub, sup, time, u, var'

/**
 * @param load loads the HTML of a page by its URL; null if there is none.
 * @returns excerpt(url, words), which resolves to the block of the page with most of the words, under the heading
 *   that the URL links to; null if no block has any.
 */
export function createExcerpts(load) {
  const pages = new Map()

  return async function excerpt({ href, hash }, words) {
    const url = href.slice(0, href.length - hash.length)
    if (!pages.has(url)) {
      if (pages.size === MOST_PAGES) pages.clear()
      const loading = load(url).then(readPage)
      loading.catch(() => pages.delete(url))
      pages.set(url, loading)
    }
    const blocks = sectionOf(await pages.get(url), decodeURIComponent(hash.slice(1)))
    let best = { count: 0, text: '' }
    for (const { text } of blocks) {
      const count = words.filter((word) => isIn(text, [word])).length
      if (count > best.count) best = { count, text }
    }
    return best.count === 0 ? null : around(best.text, words)
  }
}

// The text of a page, block by block, with the id of the heading at the start of each section.
function readPage(html) {
  const main = new DOMParser().parseFromString(html ?? '', 'text/html').querySelector('main')
  if (!main) return []
  for (const element of main.querySelectorAll(LEFT_OUT)) element.remove()
  const blocks = []
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
  let [last, lastCell] = [null, null]
  while (texts.nextNode() && blocks.length < MOST_BLOCKS) {
    const { data, parentElement } = texts.currentNode
    const cell = parentElement.closest('td, th')
    let block = cell?.parentElement ?? parentElement
    while (block !== main && block.matches(INLINE)) block = block.parentElement
    if ((block !== last || cell !== lastCell) && data.trim() === '') continue
    const heading = block.closest(HEADINGS)
    if (heading) blocks.push({ anchor: heading.id || heading.closest('section')?.id || null, text: '' })
    else if (block === last) blocks.at(-1).text += cell === lastCell ? data : ` · ${data}`
    else blocks.push({ anchor: null, text: data })
    last = heading ?? block
    lastCell = cell
  }
  return blocks.map(({ anchor, text }) => ({ anchor, text: text.replace(/\s+/g, ' ').trim() }))
}

// The blocks under the heading; all blocks if the URL has no fragment.
function sectionOf(blocks, anchor) {
  const start = anchor === '' ? 0 : blocks.findIndex((block) => block.anchor === anchor)
  if (start < 0) return []
  const end =
    anchor === ''
      ? -1
      : blocks.findIndex((block, at) => at > start && block.anchor !== null && block.anchor !== anchor)
  return blocks.slice(start, end < 0 ? undefined : end)
}

/** The part of a text around its first match; its beginning if there is none. */
export function around(text, words) {
  const [[first] = [0]] = marksIn(text, words)
  const early = Math.max(0, first - BEFORE)
  // Starts after a space, so that no word is cut.
  const space = early === 0 ? -1 : text.slice(early, first).indexOf(' ')
  const from = early + space + 1
  const rest = text.slice(from, from + MOST)
  return `${from > 0 ? '…\u00a0' : ''}${rest}${from + MOST < text.length ? '…' : ''}`
}

// Enough words to be found only where they were found, and few enough to be in one line.
const PHRASE = /^\S+(?:\s+[^\s·…]+){0,5}/
const WORD_END = /[\p{L}\p{N}\p{M}]*$/u

/** The URL with the words around the first match, which the browser scrolls to and marks where the page has them. */
export function pointed({ href, hash }, text, words) {
  const [[first] = []] = marksIn(text, words)
  if (first === undefined || !('fragmentDirective' in document)) return href
  const [begun] = WORD_END.exec(text.slice(0, first))
  const [phrase] = PHRASE.exec(text.slice(first - begun.length))
  // A hyphen would mean what is around the text.
  const encoded = encodeURIComponent(phrase.replace(/…$/, '')).replaceAll('-', '%2D')
  return `${href}${hash === '' ? '#' : ''}:~:text=${encoded}`
}

/** Whether a text contains every word. */
export function isIn(text, words) {
  return words.every((word) => marksIn(text, [word]).length > 0)
}

/** The matches in a text, as pairs of start and end. */
export function marksIn(text, words) {
  return [...text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu)].flatMap(({ 0: run, index }) =>
    marksInRun(run, words).map(([from, to]) => [index + from, index + to]),
  )
}

function marksInRun(run, words) {
  const plain = folded(run)
  const found = words.filter(({ word, start, stem }) =>
    start ? plain.startsWith(word) || isForm(plain, word, stem) : plain.includes(word),
  )
  if (!found.length) return []
  // Folding changed the length, so its offsets do not apply to the text; and another form is marked as a whole.
  if (plain.length !== run.length || found.every(({ word }) => !plain.includes(word)))
    return [[0, run.length]]
  const isMarked = new Array(run.length).fill(false)
  for (const { word } of found)
    for (let at = plain.indexOf(word); at >= 0; at = plain.indexOf(word, at + 1))
      isMarked.fill(true, at, at + word.length)
  const marks = []
  isMarked.forEach((is, at) => {
    if (is && !isMarked[at - 1]) marks.push([at, at])
    if (is) marks[marks.length - 1][1] = at + 1
  })
  return marks
}
