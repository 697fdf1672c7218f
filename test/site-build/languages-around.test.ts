import { describe, expect, test } from 'vitest'
import { readSiteFiles } from './read-site-files.ts'
import { temporarySite } from './temporary-site.ts'

/* What surrounds the pages of a site in several languages: header, footer, announcement, sidebar and home. */

const page = (title: string, more = '') => `---\ntitle: ${title}\n${more}---\nText.\n`
const plain = (title: string, more = '') => page(title, `type: page\n${more}`)
const article = (title: string) => page(title, 'type: article\npublish_date: 2026-01-02\ntags: [Rail]\n')

const PAGES = {
  'index.md': plain('Home'),
  'about.md': plain('About'),
  'only.md': plain('Only here'),
  'docs/index.md': plain('Docs'),
  'docs/install.md': page('Install'),
  'docs/rules.md': page('Rules'),
  'blog/one.md': article('One'),
  'de/index.md': plain('Start'),
  'de/ueber.md': plain('Über uns', 'translation_key: about\n'),
  'de/docs/index.md': plain('Anleitung'),
  'de/docs/install.md': page('Einrichten'),
  'de/docs/regeln.md': page('Regeln', 'translation_key: docs/rules\n'),
  'de/blog/eins.md': article('Eins'),
}

const NAV = '_nav/de/docs/index.html'

const SITE = `
name: Rail
url: https://rail.example
locales:
  - { code: en, label: English }
  - { code: de, label: Deutsch, subroute: de }
announcement: { text: New rules, href: /docs/rules }
nav_links:
  - { label: About, href: '/about?x=1#team' }
  - { label: Blog, href: /blog }
  - { label: More, links: [{ label: Docs, href: /docs }, { label: Only, href: /only }] }
shared_footer:
  copyright: Rail
  links: [{ title: Site, links: [{ label: Install, href: /docs/install }] }, { label: Home, href: / }]
  social: [{ href: /about, label: Us }]
  legal: [{ label: Tags, href: /tags }, { label: Gone, href: /gone }]
docs_nav:
  - { title: Rules first, slug: rules }
  - { title: Then, children: [{ title: Set up, slug: install }] }
`

const built = async (site: string, more: Readonly<Record<string, string>> = {}) => {
  const { build, out } = await temporarySite({ ...PAGES, ...more, 'site.yaml': site })
  const { warnings } = await build()
  return { files: await readSiteFiles(out), warnings }
}

type Part = 'header' | 'footer' | 'aside'

/** The addresses of links in a part of a document, as paths of the site, with their languages where they are marked. */
function linksIn(html: string, key: string, part: Part): readonly string[] {
  return anchorsIn(html, part).flatMap((attributes) =>
    attributes.includes(' lang="') ? [] : [addressOf(attributes, key)],
  )
}

/** The addresses in the switch of languages. */
function switchIn(html: string, key: string): readonly string[] {
  return anchorsIn(html, 'header').flatMap((attributes) =>
    attributes.includes(' lang="') ? [addressOf(attributes, key)] : [],
  )
}

function anchorsIn(html: string, part: Part): readonly string[] {
  const [body = ''] = new RegExp(`<${part}[ >][^]*?</${part}>`).exec(html) ?? []
  return [...body.matchAll(/<a( [^>]*)>/g)].map(([, attributes = '']) => attributes)
}

function addressOf(attributes: string, key: string): string {
  const [, href = ''] = /href="([^"]+)"/.exec(attributes) ?? []
  const [, code] = /hreflang="([^"]+)"/.exec(attributes) ?? []
  const url = new URL(href, `${ORIGIN}/${key.replace(/index\.html$/, '')}`)
  const path = `${url.pathname.replace(/(.)\/$/, '$1')}${url.search}${url.hash}`
  return code === undefined ? path : `${path} (${code})`
}

const ORIGIN = 'https://rail.example'

describe('a site in two languages', () => {
  let once: ReturnType<typeof built> | null = null
  const read = async (key: string) => {
    once ??= built(SITE)
    return (await once).files.get(key) ?? ''
  }
  const GERMAN = [
    'de/index.html',
    'de/ueber/index.html',
    'de/docs/regeln/index.html',
    'de/blog/eins/index.html',
    'de/blog/index.html',
    'de/tags/index.html',
    'de/404.html',
    NAV,
  ]

  test.each(GERMAN)(
    'the links around %s lead to its language, and are marked where there is no page in it',
    async (key) => {
      const html = await read(key)
      expect(linksIn(html, key, 'header')).toEqual([
        '/de',
        '/de/ueber?x=1#team',
        '/de/blog',
        '/de/docs',
        '/only (en)',
      ])
      expect(linksIn(html, key, 'aside')[0]).toBe('/de/docs/regeln')
      expect(linksIn(html, key, 'footer')).toEqual([
        '/de/ueber',
        '/de/docs/install',
        '/de',
        '/de/tags',
        '/gone',
      ])
    },
  )

  test('the links around pages of the default language lead as they are written', async () => {
    const html = await read('about/index.html')
    expect(linksIn(html, 'about/index.html', 'footer')).toEqual([
      '/about',
      '/docs/install',
      '/',
      '/tags',
      '/gone',
    ])
    expect(linksIn(html, 'about/index.html', 'aside')).toEqual(['/docs/rules'])
    expect(linksIn(html, 'about/index.html', 'header').slice(0, 2)).toEqual(['/', '/about?x=1#team'])
  })

  test('the order of the docs is that of each language, with the titles of its pages', async () => {
    expect(JSON.parse(await read('_nav/docs.json')).items.map(titles)).toEqual([
      'Rules first',
      ['Then', 'Set up'],
    ])
    expect(JSON.parse(await read('_nav/de/docs.json')).items.map(titles)).toEqual([
      'Regeln',
      ['Then', 'Einrichten'],
    ])
  })
})

const titles = ({ title, children }: { title: string; children: { title: string }[] }) =>
  children.length === 0 ? title : [title, ...children.map((child) => child.title)]

const BY_LOCALE = `${SITE}
site_name: Rail of the world
by_locale:
  de:
    site_name: Bahn
    meta_description: Alles über die Bahn.
    footer_text: Von Ines.
    announcement: { text: '' }
    nav_links: [{ label: About, href: /about }, { label: Blog, href: /de/blog }]
    docs_nav: [{ title: Zuerst, slug: install }, { title: Danach, slug: docs/rules }]
`

describe('a language with settings of its own', () => {
  let once: ReturnType<typeof built> | null = null
  const read = async (key: string) => {
    once ??= built(BY_LOCALE)
    return (await once).files.get(key) ?? ''
  }

  test('shows its settings, and those of the site that it does not have', async () => {
    const html = await read('de/ueber/index.html')
    expect(html).toContain('<title>Über uns · Bahn</title>')
    expect(html).toContain('<meta name="description" content="Alles über die Bahn.">')
    expect(html).toContain('Von Ines.')
    expect(html).not.toContain('New rules')
    expect(linksIn(html, 'de/ueber/index.html', 'header').slice(0, 3)).toEqual(['/de', '/about', '/de/blog'])
    expect(linksIn(html, 'de/ueber/index.html', 'footer')).toEqual([
      '/de/ueber',
      '/de/docs/install',
      '/de',
      '/de/tags',
      '/gone',
    ])
    expect(await read('de/feed.xml')).toContain('<title>Bahn</title>')
    expect(await read('de/404.html')).toContain('Von Ines.')
  })

  test('leaves the pages of other languages as they are', async () => {
    const html = await read('about/index.html')
    expect(html).toContain('<title>About · Rail of the world</title>')
    expect(html).toContain('New rules')
    expect(html).not.toContain('Von Ines.')
    expect(await read('feed.xml')).toContain('<title>Rail of the world</title>')
    expect(await read('llms.txt')).toContain('# Rail of the world')
  })

  test('orders its docs by its own navigation', async () => {
    expect(JSON.parse(await read('_nav/de/docs.json')).items.map(titles)).toEqual(['Zuerst', 'Danach'])
    expect(JSON.parse(await read('_nav/docs.json')).items.map(titles)).toEqual([
      'Rules first',
      ['Then', 'Set up'],
    ])
  })
})

describe('the home of a language', () => {
  const homeOf = (html: string, key: string) => linksIn(html, key, 'header')[0]
  const withHome = (home: string) => SITE.replace('subroute: de }', `subroute: de, home: ${home} }`)

  test('is the page that the site names, for logo, 404 page and language switch', async () => {
    const { files } = await built(withHome('/de/ueber'))
    const read = (key: string) => files.get(key) ?? ''
    expect(homeOf(read('de/index.html'), 'de/index.html')).toBe('/de/ueber')
    expect(read('de/404.html')).toContain(
      '<a class="button button-primary" href="https://rail.example/de/ueber/">',
    )
    expect(switchIn(read('only/index.html'), 'only/index.html')).toEqual(['/only (en)', '/de/ueber (de)'])
  })

  test('is that of the site where the language has none', async () => {
    const { files, warnings } = await built(withHome('/de/nichts'))
    expect(homeOf(files.get('de/index.html') ?? '', 'de/index.html')).toBe('/')
    expect(files.get('de/404.html')).toContain('href="https://rail.example/">')
    expect(warnings.map(({ message }) => message)).toEqual([
      'locales[1].home: The link "/de/nichts" is dead: no page is live at /de/nichts.',
      expect.stringContaining('#team'),
      expect.stringContaining('/gone'),
    ])
  })
})

test('settings of a language that the site does not have are an error at their line', async () => {
  const site = `${SITE}by_locale:\n  fr: { footer_text: Par Ines }\n`
  const { run } = await temporarySite({ ...PAGES, 'site.yaml': site })
  expect(await run()).toMatchObject({
    errors: [{ code: 'QN-BAD-VALUE', file: 'site.yaml', line: 21, field: 'by_locale.fr' }],
  })
})
