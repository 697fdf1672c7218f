// The page at /__quoin/: any page of the site in any theme, at three widths, and every section with
// every fixture. What is chosen stands in the address, so that it can be kept and gone back to.
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
  catalogue.sections.map(({ type }) => [type, type === '' ? 'several, or none' : type]),
)
fill(fields.theme, [['*', 'All themes'], ...catalogue.themes.map((theme) => [theme, theme])])

read()
addEventListener('hashchange', read)
form.addEventListener('change', ({ target }) => {
  if (target === fields.section) fillFixtures('*')
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
  fillFixtures(chosen.get('fixture') ?? '*')
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
  const names = view === 'pages' ? ['page', 'theme', 'width'] : ['section', 'fixture', 'theme', 'width']
  location.hash = `${view}?${new URLSearchParams(names.map((name) => [name, fields[name].value]))}`
}

function show(view) {
  const widths = fields.width.value === '' ? WIDTHS : [Number(fields.width.value)]
  const themes = fields.theme.value === '*' ? catalogue.themes : [fields.theme.value]
  const shown =
    view === 'pages'
      ? themes.map(pageOf)
      : fixtures().flatMap((fixture) => themes.map((theme) => fixtureOf(fixture, theme)))
  main.replaceChildren(...shown.map(({ title, src }) => group(title, src, widths)))
}

function pageOf(theme) {
  const path = fields.page.value
  return { title: theme, src: `themes/${theme}${path === '/' ? '' : path}/` }
}

function fixtureOf(fixture, theme) {
  return { title: `${fixture} · ${theme}`, src: `gallery/${theme}/${fixture}/` }
}

function fixtures() {
  const all = catalogue.sections.find(({ type }) => type === fields.section.value).fixtures
  return fields.fixture.value === '*' ? all : [fields.fixture.value]
}

function fillFixtures(value) {
  const { type, fixtures } = catalogue.sections.find(({ type }) => type === fields.section.value)
  const named = (fixture) => (type === '' ? fixture : fixture.slice(type.length + 1)).replaceAll('-', ' ')
  fill(fields.fixture, [['*', 'All'], ...fixtures.map((fixture) => [fixture, named(fixture)])])
  choose(fields.fixture, value)
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

/** The first one, for what is not there any more. */
function choose(select, value) {
  select.value = value
  if (select.selectedIndex === -1) select.selectedIndex = 0
}
