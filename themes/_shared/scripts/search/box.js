// The search dialog. Loaded when a reader first asks for it; opens at once.
import { createExcerpts, isIn, marksIn } from './excerpt.js'
import { createFinder } from './find.js'

// As many are shown at once; the next follow when the reader has come to the last.
const SHOWN_AT_ONCE = 10
// Says nothing yet, in scripts that spell.
const ONE_LETTER = /^[^\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]$/u
// Typing may go on before the next search begins, and before pages are read for what they say.
const PAUSE_MS = 150
const EXCERPT_MS = 300

const opener = document.querySelector('.search-open')
const said = JSON.parse(opener.dataset.words)
const root = new URL(opener.dataset.root, document.baseURI)
const find = createFinder(async (name) => {
  const response = await fetch(new URL(name, root))
  if (!response.ok) throw new Error(`${name}: ${response.status}`)
  return response.json()
})
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
const foot = element('div', { className: 'search-foot' })
const keys = element('span', { className: 'search-keys', ariaHidden: 'true' })
keys.append(...['↑', '↓', '↵', 'Esc'].map((textContent) => element('kbd', { textContent })))
foot.append(choice, keys)
const dialog = element('dialog', { className: 'search', ariaLabel: said.search })
const bar = element('div', { className: 'search-bar', role: 'search' })
bar.append(input, close)
dialog.append(bar, status, list, foot)
dialog.dir = document.documentElement.dir
document.body.append(dialog)

let asked = 0
let timer = 0
let answering
let visits = 0
let active = -1
let answered = { query: '', total: 0 }
// What a hit still has to say of its page.
const unsaid = new WeakMap()

input.addEventListener('input', ({ isComposing }) => isComposing || ask())
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

function open() {
  if (dialog.open) return
  visits += 1
  dialog.showModal()
  input.focus()
  input.select()
}

// Opened without its style it would flash; without style at all it still works.
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
  let result = null
  try {
    result = await find(ONE_LETTER.test(query) ? '' : query, SHOWN_AT_ONCE)
  } catch {
    // Said below.
  }
  if (turn !== asked) return
  show(result, query)
}

function show(result, query) {
  const hits = result?.hits ?? []
  list.replaceChildren(...hits.map((hit, index) => option(hit, index, result.words)))
  list.hidden = hits.length === 0
  list.scrollTop = 0
  input.ariaExpanded = String(hits.length > 0)
  activate(-1)
  answered = { query, total: result?.total ?? 0 }
  seen.disconnect()
  watchEnd()
  watchSeen(list.children)
  if (result === null) status.textContent = said.failed
  else if (hits.length) status.textContent = counted(result)
  else status.textContent = result.words.length ? said.nothing.replace('{query}', () => query) : ''
}

// How many were found, and for what where that is not what was typed.
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
    const { hits, words } = await find(query, shown + SHOWN_AT_ONCE)
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

// Whoever still types has no use for it, and whoever pays for each byte none for another page.
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
  const { about, page, words } = unsaid.get(target)
  try {
    const text = await excerpt(page, words)
    if (text !== null) about.replaceWith(part(about.className, text, words))
  } catch {
    // What the page is about stands there.
  }
}

function option({ title, path, about, section }, index, words) {
  const link = element('a', { id: `searchHit${index}`, role: 'option', tabIndex: -1 })
  const page = new URL(path === '/' ? '.' : `${path.slice(1)}/`, root)
  if (section) page.hash = section.anchor
  link.href = page.href
  const places = path.split('/').slice(1, -1)
  if (section) places.push(title)
  link.append(part('search-title', section ? section.heading : title, words))
  if (places.length) link.append(part('search-place', places.join(' › '), section ? words : []))
  const isSaid = isIn([title, section?.heading, about, ...places].join(' '), words)
  // There is room for what it says before it does.
  const line = part(isSaid ? 'search-about' : 'search-about search-more', about, words)
  if (about || !isSaid) link.append(line)
  link.addEventListener('pointermove', () => activate(index, false))
  const entry = element('li', { role: 'presentation' })
  entry.append(link)
  if (!isSaid) unsaid.set(entry, { about: line, page, words })
  return entry
}

async function onKey(event) {
  // The keys of an input method are not ours; in Safari the one that ends it is told by its code alone.
  if (event.isComposing || event.keyCode === 229 || event.target !== input) return
  if (!['Enter', 'ArrowDown', 'ArrowUp'].includes(event.key)) return
  event.preventDefault()
  // A key means what is found for all that was typed, not what still shows for its beginning.
  if (timer) searchNow()
  const [turn, visit] = [asked, visits]
  await answering
  // Whoever typed on, went elsewhere or closed the dialog meanwhile wants it no more.
  if (turn !== asked || visit !== visits || document.activeElement !== input) return
  const count = list.children.length
  if (!count) return
  if (event.key === 'Enter') return list.children[Math.max(active, 0)].firstElementChild.click()
  // Past either end stands the input itself.
  const step = event.key === 'ArrowDown' ? 1 : count
  activate(((active + 1 + step) % (count + 1)) - 1)
}

function activate(index, scrolls = true) {
  const options = [...list.querySelectorAll('a')]
  options[active]?.setAttribute('aria-selected', 'false')
  active = index
  const link = options[index]
  if (!link) return input.removeAttribute('aria-activedescendant')
  link.setAttribute('aria-selected', 'true')
  input.setAttribute('aria-activedescendant', link.id)
  if (scrolls) link.scrollIntoView({ block: 'nearest' })
}

// Text in which what was found is marked.
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

// A sandbox has no storage: the choice then holds for this page alone.
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
