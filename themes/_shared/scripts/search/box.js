// The search dialog. Loaded, and opened at once, when a reader first opens search.
import { around, createExcerpts, isIn, marksIn, pointed } from './excerpt.js'
import { createFinder } from './find.js'

// Results are added in steps of this many, when the reader reaches the last one.
const SHOWN_AT_ONCE = 10
// Too little to search for, in alphabetic scripts.
const ONE_LETTER = /^[^\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]$/u
// Delays after the last key, before a search starts and before pages are loaded for excerpts.
const PAUSE_MS = 150
const MOST_CHAPTERS = 8
const EXCERPT_MS = 300

const opener = document.querySelector('.search-open')
const said = JSON.parse(opener.dataset.words)
const root = new URL(opener.dataset.root, document.baseURI)
const { scope } = opener.dataset
const language = document.documentElement.lang
const stemming = loadStemmer()
let find = null
const excerpt = createExcerpts(async (url) => {
  const response = await fetch(url)
  return response.ok ? response.text() : null
})

const input = element('input', {
  type: 'text',
  inputMode: 'search',
  className: 'search-input',
  placeholder: said.search,
  autocomplete: 'off',
  spellcheck: false,
  enterKeyHint: 'go',
  maxLength: 200,
  role: 'combobox',
  ariaLabel: said.search,
  ariaExpanded: 'false',
  ariaAutoComplete: 'list',
})
input.setAttribute('aria-controls', 'searchHits')
input.setAttribute('autocapitalize', 'off')
const clear = element('button', {
  type: 'button',
  className: 'search-clear',
  ariaLabel: said.clear,
  hidden: true,
})
const close = element('button', { type: 'button', className: 'search-close', textContent: said.close })
const status = element('p', { className: 'search-status', role: 'status' })
const list = element('ul', {
  id: 'searchHits',
  className: 'search-hits',
  role: 'listbox',
  ariaLabel: said.search,
})
list.hidden = true
const slash = element('input', { type: 'checkbox', checked: !slashIsOff() })
const choice = element('label', { className: 'search-key' })
choice.append(slash, said.key)
const preferences = element('details', { className: 'search-settings' })
preferences.append(element('summary', { ariaLabel: said.settings, title: said.settings }), choice)
const foot = element('div', { className: 'search-foot' })
const keys = element('span', { className: 'search-keys', ariaHidden: 'true' })
keys.append(...['↑', '↓', '↵', 'Esc'].map((textContent) => element('kbd', { textContent })))
foot.append(preferences, keys)
const dialog = element('dialog', { className: 'search', ariaLabel: said.search })
const bar = element('div', { className: 'search-bar', role: 'search' })
bar.append(element('span', { className: 'search-sign' }), input, clear, close)
dialog.append(bar, status, list, foot)
dialog.dir = document.documentElement.dir
document.body.append(dialog)

let asked = 0
let timer = 0
let answering
let visits = 0
let active = -1
let answered = { query: '', total: 0 }
// Results whose excerpt is not loaded yet.
const unsaid = new WeakMap()

input.addEventListener('input', ({ isComposing }) => {
  clear.hidden = input.value === ''
  if (!isComposing) ask()
})
clear.addEventListener('click', () => {
  input.value = ''
  clear.hidden = true
  searchNow()
  input.focus()
})
input.addEventListener('compositionend', ask)
const end = new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && showMore(), { root: list })
const seen = new IntersectionObserver((entries) => entries.forEach(sayMore), { root: list })
dialog.addEventListener('keydown', onKey)
dialog.addEventListener('click', ({ target }) => {
  if (target === dialog || target === close || target.closest('a')) dialog.close()
})
slash.addEventListener('change', () => keepSlash(slash.checked))
opener.addEventListener('click', open)
void styled().then(open)

// Without the script that finds forms of words, words are found as they are typed.
async function loadStemmer() {
  const { stems } = opener.dataset
  if (!stems) return
  const script = element('script', { src: stems })
  await new Promise((resolve) => {
    script.addEventListener('load', resolve)
    script.addEventListener('error', resolve)
    document.head.append(script)
  })
}

async function searchFor(query, most) {
  await stemming
  find ??= createFinder(
    async (name) => {
      const response = await fetch(new URL(name, root))
      if (!response.ok) throw new Error(`${name}: ${response.status}`)
      return response.json()
    },
    { language, scope, stem: globalThis.quoinStem },
  )
  return find(query, most)
}

function open() {
  if (dialog.open) return
  visits += 1
  dialog.showModal()
  if (input.value === '') suggest()
  input.focus()
  input.select()
}

// Opening before the style sheet is loaded would flash. If it cannot be loaded, the dialog still works.
function styled() {
  return new Promise((resolve) => {
    const link = element('link', { rel: 'stylesheet', href: opener.dataset.style })
    link.addEventListener('load', resolve)
    link.addEventListener('error', resolve)
    document.head.append(link)
  })
}

function ask() {
  clearTimeout(timer)
  timer = setTimeout(searchNow, PAUSE_MS)
}

function searchNow() {
  clearTimeout(timer)
  timer = 0
  answering = answer()
}

async function answer() {
  const turn = ++asked
  const query = input.value.trim()
  if (query === '') return suggest()
  let result = null
  try {
    result = await searchFor(ONE_LETTER.test(query) ? '' : query, SHOWN_AT_ONCE)
  } catch {
    // Reported below.
  }
  if (turn !== asked) return
  show(result, query)
}

function show(result, query) {
  const hits = result?.hits ?? []
  fillList(hits.map((hit, index) => option(hit, index, result.words)))
  answered = { query, total: result?.total ?? 0 }
  if (result) document.dispatchEvent(new CustomEvent('quoin-search', { detail: answered }))
  seen.disconnect()
  watchEnd()
  watchSeen(list.children)
  if (result === null) status.textContent = said.failed
  else if (hits.length) status.textContent = counted(result)
  else status.textContent = result.words.length ? said.nothing.replace('{query}', () => query) : ''
}

// Shows entries in place of those before.
function fillList(entries) {
  list.replaceChildren(...entries)
  list.hidden = entries.length === 0
  list.scrollTop = 0
  list.classList.toggle('search-chapters', input.value.trim() === '')
  input.ariaExpanded = String(entries.length > 0)
  activate(-1)
}

// Before anything is typed: the chapters of the documentation that the reader is in, or the links of the header.
function suggest() {
  const nav = document.querySelector('.sidebar') ?? document.querySelector('.site-nav')
  const chapters = [...(nav?.querySelectorAll(':is(.docs-nav, .site-nav) > ul > li') ?? [])].flatMap(
    (entry) => {
      const [first] = [...entry.querySelectorAll('a')].filter(({ host }) => host === location.host)
      const name = entry.querySelector(':scope > a, summary')
      return first && name
        ? [{ href: first.href, title: (name.querySelector('span') ?? name).textContent }]
        : []
    },
  )
  fillList(chapters.slice(0, MOST_CHAPTERS).map(chapter))
  answered = { query: '', total: 0 }
  status.textContent = chapters.length ? nav.ariaLabel : ''
}

function chapter({ href, title }, index) {
  const link = target(href, `searchHit${index}`)
  link.append(part('search-title', title, []))
  const entry = element('li', { role: 'presentation' })
  entry.append(link)
  return entry
}

// The number of results, and the corrected query if words were corrected.
function counted({ total, slips }) {
  if (!slips.length) return said.results.replace('{n}', total)
  const [typed, meant] = [slips.map((slip) => slip.typed), slips.map((slip) => slip.meant)]
  const results = said.meant.replace('{query}', meant.join(' ')).replace('{n}', total)
  return `${said.nothing.replace('{query}', typed.join(' '))} ${results}`
}

async function showMore() {
  end.disconnect()
  const turn = asked
  const { query, total } = answered
  const shown = list.children.length
  if (shown >= total) return
  try {
    const { hits, words } = await searchFor(query, shown + SHOWN_AT_ONCE)
    if (turn !== asked) return
    const more = hits.slice(shown).map((hit, index) => option(hit, shown + index, words))
    list.append(...more)
    watchEnd()
    watchSeen(more)
  } catch {
    status.textContent = said.failed
  }
}

function watchEnd() {
  end.disconnect()
  if (list.lastElementChild) end.observe(list.lastElementChild)
}

// Loads no excerpts while the reader types, or if the browser saves data.
function watchSeen(entries) {
  const turn = asked
  if (navigator.connection?.saveData) return
  setTimeout(() => {
    if (turn === asked) for (const entry of entries) if (unsaid.has(entry)) seen.observe(entry)
  }, EXCERPT_MS)
}

async function sayMore({ isIntersecting, target }) {
  if (!isIntersecting) return
  seen.unobserve(target)
  const { about, page, words, link } = unsaid.get(target)
  try {
    const text = await excerpt(page, words)
    if (text === null) return
    about.replaceWith(part(about.className, text, words))
    link.href = pointed(page, text, words)
  } catch {
    // The page's description stays.
  }
}

// A page, with its sections that match. The excerpt is of the section that matches best.
function option({ title, path, places, about, section, sections }, index, words) {
  const page = new URL(path === '/' ? '.' : `${path.slice(1)}/`, root)
  const link = target(page.href, `searchHit${index}`)
  link.append(part('search-title', title, words))
  if (places.length) link.append(part('search-place', places.join(' › '), []))
  const isSaid = isIn([title, about, ...places, ...sections.map(({ heading }) => heading)].join(' '), words)
  // Reserves the line's space before the excerpt is loaded.
  const text = around(about, words)
  const line = part(isSaid ? 'search-about' : 'search-about search-more', text, words)
  if (isSaid) link.href = pointed(page, text, words)
  if (about || !isSaid) link.append(line)
  const group = element('div', { role: 'group', ariaLabel: title })
  group.append(link)
  let best = { page, link }
  sections.forEach(({ heading, anchor }, at) => {
    const place = new URL(page)
    place.hash = anchor
    const line = target(place.href, `searchHit${index}-${at}`)
    line.classList.add('search-section')
    line.append(part('search-heading', heading, words))
    if (anchor === section?.anchor) {
      best = { page: place, link: line }
      line.dataset.best = ''
    }
    group.append(line)
  })
  const entry = element('li', { role: 'presentation' })
  entry.append(group)
  if (!isSaid) unsaid.set(entry, { ...best, about: line, words })
  return entry
}

function target(href, id) {
  const link = element('a', { id, href, role: 'option', tabIndex: -1 })
  link.addEventListener('pointermove', () => activate(options().indexOf(link), false))
  return link
}

function options() {
  return [...list.querySelectorAll('a')]
}

async function onKey(event) {
  // Ignores the keys of an input method. In Safari only the key code identifies the one that ends composition.
  if (event.isComposing || event.keyCode === 229 || event.target !== input) return
  if (!['Enter', 'ArrowDown', 'ArrowUp'].includes(event.key)) return
  event.preventDefault()
  // The key applies to the results of the whole query, not to those still shown for an earlier one.
  if (timer) searchNow()
  const [turn, visit] = [asked, visits]
  await answering
  // The reader typed on, moved the focus or closed the dialog meanwhile.
  if (turn !== asked || visit !== visits || document.activeElement !== input) return
  const all = options()
  const count = all.length
  if (!count) return
  // Without a choice, the best match: the first page, at the section that matches best.
  const best = answered.query && (list.firstElementChild.querySelector('[data-best]') ?? all[0])
  if (event.key === 'Enter') return (all[active] || best)?.click?.()
  // Moving past either end selects none, which is the input itself.
  const step = event.key === 'ArrowDown' ? 1 : count
  activate(((active + 1 + step) % (count + 1)) - 1)
}

function activate(index, scrolls = true) {
  const all = options()
  all[active]?.setAttribute('aria-selected', 'false')
  active = index
  const link = all[index]
  if (!link) return input.removeAttribute('aria-activedescendant')
  link.setAttribute('aria-selected', 'true')
  input.setAttribute('aria-activedescendant', link.id)
  if (scrolls) link.scrollIntoView({ block: 'nearest' })
}

// Text with the matches marked.
function part(className, text, words) {
  const span = element('span', { className })
  let end = 0
  for (const [from, to] of marksIn(text, words)) {
    span.append(text.slice(end, from), element('mark', { textContent: text.slice(from, to) }))
    end = to
  }
  span.append(text.slice(end))
  return span
}

function element(tag, properties) {
  return Object.assign(document.createElement(tag), properties)
}

// A sandbox has no storage: the choice then lasts for this page only.
function slashIsOff() {
  try {
    return localStorage.getItem('quoin-search-key') === 'off'
  } catch {
    return opener.dataset.slash === 'off'
  }
}

function keepSlash(isOn) {
  opener.dataset.slash = isOn ? 'on' : 'off'
  try {
    localStorage.setItem('quoin-search-key', isOn ? 'on' : 'off')
  } catch {
    // As above.
  }
}
