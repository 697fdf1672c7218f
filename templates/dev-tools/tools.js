// The page at /__quoin/: shows any page of the site in any theme at three widths, and every section with
// every sample. The URL fragment holds the selection, so that it can be bookmarked.
const WIDTHS = [390, 768, 1440]
const HEIGHTS = { 390: 844, 768: 1024, 1440: 900 }

const catalogue = await (await fetch('catalogue.json')).json()
const form = document.querySelector('form')
const main = document.querySelector('main')
const fields = form.elements

document.querySelector('#site').textContent = catalogue.name
fill(
  fields.page,
  catalogue.pages.map(({ path, title, isDraft }) => [path, `${title}${isDraft ? ' (draft)' : ''} · ${path}`]),
)
fill(
  fields.section,
  catalogue.sections.map(({ type }) => [type, type === '' ? 'several types, or none' : type]),
)
fill(fields.theme, [['*', 'All themes'], ...catalogue.themes.map((theme) => [theme, theme])])

read()
addEventListener('hashchange', read)
form.addEventListener('change', ({ target }) => {
  if (target === fields.section) fillSamples('*')
  write()
})
form.addEventListener('submit', (event) => event.preventDefault())

/** `#pages?page=/docs&theme=dark&width=390` */
function read() {
  const [name, query] = location.hash.slice(1).split('?')
  const view = name === 'sections' ? 'sections' : 'pages'
  const chosen = new URLSearchParams(query)
  document.body.dataset.view = view
  choose(fields.page, chosen.get('page') ?? '/')
  choose(fields.section, chosen.get('section') ?? catalogue.sections[0].type)
  fillSamples(chosen.get('sample') ?? '*')
  choose(fields.theme, chosen.get('theme') ?? catalogue.theme)
  choose(fields.width, chosen.get('width') ?? (view === 'sections' ? '1440' : ''))
  for (const link of document.querySelectorAll('[data-view]')) {
    if (link === document.body) continue
    if (link.dataset.view === view) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
  show(view)
}

function write() {
  const { view } = document.body.dataset
  const names = view === 'pages' ? ['page', 'theme', 'width'] : ['section', 'sample', 'theme', 'width']
  location.hash = `${view}?${new URLSearchParams(names.map((name) => [name, fields[name].value]))}`
}

function show(view) {
  const widths = fields.width.value === '' ? WIDTHS : [Number(fields.width.value)]
  const themes = fields.theme.value === '*' ? catalogue.themes : [fields.theme.value]
  const shown =
    view === 'pages'
      ? themes.map(pageOf)
      : samples().flatMap((sample) => themes.map((theme) => sampleOf(sample, theme)))
  main.replaceChildren(...shown.map(({ title, src }) => group(title, src, widths)))
}

function pageOf(theme) {
  const path = fields.page.value
  return { title: theme, src: `themes/${theme}${path === '/' ? '' : path}/` }
}

function sampleOf(sample, theme) {
  return { title: `${sample} · ${theme}`, src: `gallery/${theme}/${sample}/` }
}

function samples() {
  const all = catalogue.sections.find(({ type }) => type === fields.section.value).samples
  return fields.sample.value === '*' ? all : [fields.sample.value]
}

function fillSamples(value) {
  const { type, samples } = catalogue.sections.find(({ type }) => type === fields.section.value)
  const named = (sample) => (type === '' ? sample : sample.slice(type.length + 1)).replaceAll('-', ' ')
  fill(fields.sample, [['*', 'All'], ...samples.map((sample) => [sample, named(sample)])])
  choose(fields.sample, value)
}

function group(title, src, widths) {
  const section = document.createElement('section')
  const heading = document.createElement('h2')
  const link = document.createElement('a')
  link.href = src
  link.textContent = title
  heading.append(link)
  const row = document.createElement('div')
  row.className = 'row'
  row.tabIndex = 0
  row.role = 'group'
  row.ariaLabel = `${title}, at ${widths.join(', ')} pixels`
  row.append(...widths.map((width) => frame(title, src, width)))
  section.append(heading, row)
  return section
}

function frame(title, src, width) {
  const figure = document.createElement('figure')
  const box = document.createElement('div')
  const inner = document.createElement('iframe')
  const caption = document.createElement('figcaption')
  inner.title = `${title} at ${width} pixels`
  inner.loading = 'lazy'
  inner.width = width
  inner.height = HEIGHTS[width]
  inner.src = src
  box.className = `box w${width}`
  caption.textContent = `${width} px`
  box.append(inner)
  figure.append(box, caption)
  return figure
}

function fill(select, options) {
  select.replaceChildren(...options.map(([value, text]) => new Option(text, value)))
}

/** Selects the first option if the value no longer exists. */
function choose(select, value) {
  select.value = value
  if (select.selectedIndex === -1) select.selectedIndex = 0
}
