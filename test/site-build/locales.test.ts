import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SAMPLE_SITES } from '../support/sample-sites.ts'
import { readSiteFiles } from './read-site-files.ts'
import { temporarySite } from './temporary-site.ts'

const ORIGIN = 'https://lighthouse.example'

const alternatesIn = (html: string) =>
  [...html.matchAll(/<link rel="alternate" hreflang="([^"]+)" href="([^"]+)">/g)].map(
    ([, code, href]) => `${code} ${href}`,
  )

const languagesIn = (html: string) =>
  [
    ...html.matchAll(
      /<li><a href="([^"]+)" lang="([^"]+)" hreflang="[^"]+" dir="(\w+)"( aria-current="true")?>/g,
    ),
  ].map(([, href, code, dir, current]) => `${code} ${dir} ${href}${current === undefined ? '' : ' current'}`)

async function languageSite() {
  const site = await temporarySite({})
  await cp(SAMPLE_SITES.languages, site.folder, { recursive: true })
  const read = (key: string) => readFile(join(site.out, key), 'utf8')
  return { ...site, read }
}

describe('a site in three languages', () => {
  let built: Promise<ReadonlyMap<string, string>> | null = null
  const site = {
    async read(key: string) {
      built ??= buildOnce()
      return (await built).get(key) ?? ''
    },
  }

  async function buildOnce() {
    const { build, out } = await languageSite()
    expect((await build()).warnings).toEqual([])
    return readSiteFiles(out)
  }

  test('each document states its language and the direction in which it is written', async () => {
    expect(await site.read('docs/lamp/index.html')).toContain('<html lang="en" dir="ltr">')
    expect(await site.read('fr/docs/lampe/index.html')).toContain('<html lang="fr" dir="ltr">')
    expect(await site.read('ar/docs/lamp/index.html')).toContain('<html lang="ar" dir="rtl">')
  })

  test('translations announce each other, connected by their paths or by a key', async () => {
    const all = [
      `en ${ORIGIN}/docs/lamp/`,
      `fr ${ORIGIN}/fr/docs/lampe/`,
      `ar ${ORIGIN}/ar/docs/lamp/`,
      `x-default ${ORIGIN}/docs/lamp/`,
    ]
    for (const key of ['docs/lamp', 'fr/docs/lampe', 'ar/docs/lamp'])
      expect(alternatesIn(await site.read(`${key}/index.html`)), key).toEqual(all)
    expect(alternatesIn(await site.read('docs/fog/index.html'))).toEqual([])
  })

  test('the switch leads to the same page, or to the front page of a language that lacks it', async () => {
    expect(languagesIn(await site.read('docs/lamp/index.html'))).toEqual([
      'en ltr ../../docs/lamp/ current',
      'fr ltr ../../fr/docs/lampe/',
      'ar rtl ../../ar/docs/lamp/',
    ])
    expect(languagesIn(await site.read('docs/fog/index.html'))).toEqual([
      'en ltr ../../docs/fog/ current',
      'fr ltr ../../fr/',
      'ar rtl ../../ar/',
    ])
  })

  test('the name of the site leads to the front page of the language, and its words are in the language', async () => {
    const html = await site.read('fr/docs/lampe/index.html')
    expect(html).toContain('<a class="site-name" href="../../../fr/">')
    expect(html).toContain('Aller au contenu')
    expect(html).toContain('data-root="../../../"')
  })

  test('the sidebar and the neighbours of a docs page are in its language', async () => {
    const html = await site.read('fr/docs/lampe/index.html')
    expect(html).toContain('Allumer la lampe')
    expect(html).not.toContain('Light the lamp')
    const nav = await site.read('_nav/fr/docs.json')
    expect(nav).toContain('Allumer la lampe')
    expect(nav).not.toContain('Fog signals')
  })

  test('lists and feeds hold the articles of one language', async () => {
    const list = await site.read('fr/blog/index.html')
    expect(list).toContain('<html lang="fr" dir="ltr">')
    expect(list).toContain('La tempête de mars')
    expect(list).not.toContain('The storm of March')
    expect(alternatesIn(list)).toEqual([
      `en ${ORIGIN}/blog/`,
      `fr ${ORIGIN}/fr/blog/`,
      `x-default ${ORIGIN}/blog/`,
    ])
    const [english, french] = [await site.read('feed.xml'), await site.read('fr/feed.xml')]
    expect(english).toContain('The storm of March')
    expect(english).not.toContain('La tempête')
    expect(french).toContain('xml:lang="fr"')
    expect(french).toContain('La tempête de mars')
    expect(JSON.parse(await site.read('fr/_feed.json'))).toMatchObject({
      language: 'fr',
      home_page_url: `${ORIGIN}/fr/`,
      feed_url: `${ORIGIN}/fr/_feed.json`,
    })
    expect(await site.read('fr/docs/index.html')).toContain(
      '<link rel="alternate" type="application/atom+xml" href="../../fr/feed.xml"',
    )
  })

  test('unknown paths of a language have its own document, in its words or those of its author', async () => {
    expect(await site.read('ar/404.html')).toContain('<html lang="ar" dir="rtl">')
    expect(await site.read('fr/404.html')).toContain('Cette page n’existe pas.')
    expect(await site.read('404.html')).toContain('Page not found')
  })

  test('the sitemap names every language of each page', async () => {
    const sitemap = await site.read('sitemap.xml')
    expect(sitemap).toContain('xmlns:xhtml="http://www.w3.org/1999/xhtml"')
    const line = sitemap.split('\n').find((text) => text.includes(`<loc>${ORIGIN}/fr/docs/lampe/</loc>`))
    for (const [code, path] of [
      ['en', '/docs/lamp/'],
      ['fr', '/fr/docs/lampe/'],
      ['ar', '/ar/docs/lamp/'],
      ['x-default', '/docs/lamp/'],
    ])
      expect(line).toContain(`<xhtml:link rel="alternate" hreflang="${code}" href="${ORIGIN}${path}"/>`)
    expect(sitemap).not.toContain('404')
  })

  test('the index of the site has the language of each page, and search that of each result', async () => {
    const { pages } = JSON.parse(await site.read('_index.json'))
    const lamp = pages.find(({ url }: { url: string }) => url === '/fr/docs/lampe')
    expect(lamp).toMatchObject({ locale: 'fr', translation_key: 'docs/lamp' })
    expect(JSON.parse(await site.read('_search.json')).base.languages).toMatch(/fr \d/)
    expect(await site.read('ar/index.html')).toContain('data-scope="ar"')
  })
})

test('a build after a translation was added, moved or removed equals a cold one', async () => {
  const site = await languageSite()
  const now = { now: () => '2026-06-01T00:00:00.000Z' }
  await site.build(now)
  await site.put('fr/docs/fog.md', '---\ntitle: Signaux de brume\n---\nTexte.\n')
  await site.build(now)
  expect(alternatesIn(await site.read('docs/fog/index.html'))).toHaveLength(3)
  expect(await site.read('sitemap.xml')).toContain(`hreflang="fr" href="${ORIGIN}/fr/docs/fog/"`)
  await site.put('fr/docs/fog.md', '---\ntitle: Signaux de brume\ntranslation_key: other\n---\nTexte.\n')
  await site.build(now)
  expect(alternatesIn(await site.read('docs/fog/index.html'))).toEqual([])
  await site.put('docs/fog.md', '---\ntitle: Fog signals\ntranslation_key: other\n---\nText.\n')
  await site.build(now)
  expect(alternatesIn(await site.read('fr/docs/fog/index.html'))).toHaveLength(3)
  await site.drop('ar/docs/lamp.md')
  await site.build(now)
  expect(alternatesIn(await site.read('fr/docs/lampe/index.html'))).toHaveLength(3)

  const cold = await temporarySite({})
  await cp(site.folder, cold.folder, { recursive: true, preserveTimestamps: true })
  await cold.build(now)
  const [warmFiles, coldFiles] = [await readSiteFiles(site.out), await readSiteFiles(cold.out)]
  for (const [key, text] of coldFiles) if (key !== '_index.json') expect(warmFiles.get(key), key).toBe(text)
  expect([...warmFiles.keys()]).toEqual([...coldFiles.keys()])
})

test('lists and pages of tags of a language announce its feed', async () => {
  const { build, out } = await temporarySite({
    'site.yaml':
      'name: A\nurl: https://a.example\nlocales:\n  - { code: en, label: English }\n  - { code: fr, label: Français, subroute: fr }\n',
    'index.md': '---\ntitle: Home\ntype: page\n---\nText.\n',
    'fr/index.md': '---\ntitle: Accueil\ntype: page\n---\nTexte.\n',
    'blog/one.md': article('A', 'tags: [Sea]\n'),
    'fr/blog/une.md': article('A', 'tags: [Mer]\n'),
  })
  await build()
  const files = await readSiteFiles(out)
  const feedOf = (key: string) =>
    /<link rel="alternate" type="application\/atom\+xml" href="([^"]+)"/.exec(files.get(key) ?? '')?.[1]
  expect(feedOf('blog/index.html')).toBe('../feed.xml')
  expect(feedOf('fr/blog/index.html')).toBe('../../fr/feed.xml')
  expect(feedOf('fr/blog/tags/index.html')).toBe('../../../fr/feed.xml')
})

const TWO_LANGUAGES =
  'name: A\nurl: https://a.example\nlocales:\n  - { code: en, label: English }\n  - { code: fr, label: Français, subroute: fr }\n'

const posts = (title: string, more = '') =>
  `title: ${title}\nsections:\n  - { type: posts, title: News${more} }\n`

const article = (title: string, more = '') =>
  `---\ntitle: ${title}\ntype: article\ndate: 2026-01-02\n${more}---\nText.\n`

describe('a list of posts', () => {
  const SITE = {
    'site.yaml': TWO_LANGUAGES,
    'index.yaml': posts('Home'),
    'fr/index.yaml': posts('Accueil'),
    'both.yaml': posts('Both', ', subroute: fr/blog'),
    'blog/one.md': article('Article one'),
    'blog/deux.md': article('Article deux', 'locale: fr\n'),
    'fr/blog/trois.md': article('Article trois'),
  }
  const listed = (html = '') => ['one', 'deux', 'trois'].filter((name) => html.includes(`Article ${name}`))

  test('has the posts of the language of its page, or of the one whose subroute it names', async () => {
    const { build, out } = await temporarySite(SITE)
    await build()
    const files = await readSiteFiles(out)
    expect(listed(files.get('index.html'))).toEqual(['one'])
    expect(listed(files.get('fr/index.html'))).toEqual(['deux', 'trois'])
    expect(listed(files.get('both/index.html'))).toEqual(['trois'])
  })

  test('follows a post to another language, and has all posts on a site in one', async () => {
    const { build, put, out } = await temporarySite(SITE)
    await build()
    await put('blog/deux.md', article('Article deux'))
    await build()
    let files = await readSiteFiles(out)
    expect(listed(files.get('index.html'))).toEqual(['one', 'deux'])
    expect(listed(files.get('fr/index.html'))).toEqual(['trois'])
    await put('site.yaml', 'name: A\nurl: https://a.example\n')
    await build()
    files = await readSiteFiles(out)
    expect(listed(files.get('index.html'))).toEqual(['one', 'deux', 'trois'])
  })
})

describe('the tags of all blogs', () => {
  const SITE = {
    'site.yaml': TWO_LANGUAGES,
    'index.md': '---\ntitle: Home\ntype: page\n---\nText.\n',
    'blog/one.md': article('One', 'tags: [Sea]\n'),
    'news/two.md': article('Two', 'tags: [Ship]\n'),
    'fr/blog/un.md': article('Un', 'tags: [Mer]\n'),
  }
  const tagsIn = (html = '') => ['Sea', 'Ship', 'Mer'].filter((tag) => html.includes(`>${tag} <`))

  test('are on one page for each language, and these pages are translations of each other', async () => {
    const { build, out } = await temporarySite(SITE)
    await build()
    const files = await readSiteFiles(out)
    expect(tagsIn(files.get('tags/index.html'))).toEqual(['Sea', 'Ship'])
    expect(tagsIn(files.get('fr/tags/index.html'))).toEqual(['Mer'])
    expect(files.get('fr/tags/index.html')).toContain('<html lang="fr"')
    expect(alternatesIn(files.get('tags/index.html') ?? '')).toContain('fr https://a.example/fr/tags/')
  })

  test('follow the languages of the site when they change', async () => {
    const { build, put, out } = await temporarySite(SITE)
    await build()
    await put('site.yaml', 'name: A\nurl: https://a.example\n')
    await build()
    const files = await readSiteFiles(out)
    expect(tagsIn(files.get('tags/index.html'))).toEqual(['Sea', 'Ship', 'Mer'])
    expect(files.has('fr/tags/index.html')).toBe(false)
    await put('site.yaml', TWO_LANGUAGES)
    await build()
    const again = await readSiteFiles(out)
    expect(tagsIn(again.get('tags/index.html'))).toEqual(['Sea', 'Ship'])
    expect(tagsIn(again.get('fr/tags/index.html'))).toEqual(['Mer'])
  })
})

test('a page with a language that the site does not have is reported with its line, in the language of its address', async () => {
  const { build, out } = await temporarySite({
    'site.yaml': TWO_LANGUAGES,
    'index.md': '---\ntitle: Home\ntype: page\n---\nText.\n',
    'fr/a.md': '---\ntitle: A\nlocale: de\n---\nText.\n',
  })
  expect((await build()).warnings).toEqual([
    expect.objectContaining({
      code: 'QN-UNKNOWN-LOCALE',
      file: 'fr/a.md',
      line: 3,
      message: expect.stringContaining('The site has no language de. Its languages are en, fr.'),
    }),
  ])
  expect((await readSiteFiles(out)).get('fr/a/index.html')).toContain('<html lang="fr"')
})

test('the switch of languages leaves out a language with neither the page nor a front page, until it has one', async () => {
  const { build, put, drop, out } = await temporarySite({
    'site.yaml': `${TWO_LANGUAGES}  - { code: de, label: Deutsch, subroute: de }\n`,
    'index.md': '---\ntitle: Home\ntype: page\n---\nText.\n',
    'fr/index.md': '---\ntitle: Accueil\ntype: page\n---\nTexte.\n',
    'docs/a.md': '---\ntitle: A\n---\nText.\n',
    'de/docs/b.md': '---\ntitle: B\n---\nText.\n',
  })
  const languages = async (key: string) =>
    languagesIn((await readSiteFiles(out)).get(`${key}/index.html`) ?? '')
  await build()
  expect(await languages('docs/a')).toEqual(['en ltr ../../docs/a/ current', 'fr ltr ../../fr/'])
  expect(await languages('de/docs/b')).toEqual([
    'en ltr ../../../',
    'fr ltr ../../../fr/',
    'de ltr ../../../de/docs/b/ current',
  ])
  await put('de/index.md', '---\ntitle: Start\ntype: page\n---\nText.\n')
  await build()
  expect(await languages('docs/a')).toHaveLength(3)
  await drop('de/index.md')
  await put('de/eins.md', article('Eins', 'blog: de\n'))
  await build()
  expect(await languages('docs/a')).toEqual([
    'en ltr ../../docs/a/ current',
    'fr ltr ../../fr/',
    'de ltr ../../de/',
  ])
})
