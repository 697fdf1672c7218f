import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string

const LOCALES = [
  { code: 'en', label: 'English' },
  { code: 'fr', label: 'Français', subroute: 'fr' },
]

beforeAll(async () => {
  service = await startService()
  project = await service.newProject()
  expect((await service.call('PUT', `/projects/${project}/settings`, { locales: LOCALES })).status).toBe(200)
})
afterAll(() => service.close())

const create = async (fields: object): Promise<string> =>
  (await service.call('POST', '/pages', pageBody(project, { type: 'docs', ...fields }))).body.data.id
const publish = async (id: string) => {
  const { status, body } = await service.call('POST', `/pages/${id}/publish`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const visit = async (path: string) => (await fetch(`${service.url}/public/${project}/${path}`)).text()
const staleOf = async (id: string) => (await service.call('GET', `/pages/${id}`)).body.data.stale
const hasFrench = (html: string) => html.includes('hreflang="fr" href="http')

test('publishing a translation leaves the other page as it is, stale, and correct after its next publish', async () => {
  const english = await create({ slug: 'install', subroute: 'docs', title: 'Install' })
  await publish(english)
  expect(hasFrench(await visit('docs/install/'))).toBe(false)

  const french = await create({
    slug: 'installer',
    subroute: 'fr/docs',
    title: 'Installer',
    translation_key: 'docs/install',
  })
  await publish(french)
  expect(hasFrench(await visit('fr/docs/installer/'))).toBe(true)
  expect(hasFrench(await visit('docs/install/'))).toBe(false)
  expect(await visit('sitemap.xml')).toMatch(/docs\/install\/<\/loc>.*hreflang="fr"/)
  expect(await staleOf(english)).toEqual(['nav'])
  expect(await staleOf(french)).toEqual([])

  await publish(english)
  expect(hasFrench(await visit('docs/install/'))).toBe(true)
  expect(await staleOf(english)).toEqual([])

  await service.call('POST', `/pages/${french}/unpublish`)
  expect(await staleOf(english)).toEqual(['nav'])
  expect(await visit('sitemap.xml')).not.toContain('hreflang')
})

test('the page has the language that it states, and a path that is not there has the words of its language', async () => {
  const id = await create({ slug: 'bonjour', subroute: '', title: 'Bonjour', locale: 'fr' })
  await publish(id)
  expect(await visit('bonjour/')).toContain('<html lang="fr" dir="ltr">')
  const { data } = (await service.call('GET', `/pages/${id}`)).body
  expect(data).toMatchObject({ locale: 'fr', translation_key: null })
  expect(await visit('fr/docs/nothing')).toContain('<html lang="fr" dir="ltr">')
  expect(await visit('docs/nothing')).toContain('<html lang="en" dir="ltr">')
})

test('a language that is not one and a key that is too long are refused by name', async () => {
  const { status, body } = await service.call(
    'POST',
    '/pages',
    pageBody(project, { slug: 'bad', locale: 'not a tag', translation_key: 'x'.repeat(201) }),
  )
  expect(status).toBe(422)
  expect(JSON.stringify(body)).toContain('locale')
  expect(JSON.stringify(body)).toContain('translation_key')
})

test('articles from before the languages of a site were set or renamed stay in the feeds of the default one', async () => {
  const site = await service.newProject()
  const article = async (fields: object) => {
    const body = pageBody(site, { type: 'article', subroute: 'blog', ...fields })
    await publish((await service.call('POST', '/pages', body)).body.data.id)
  }
  const setLocales = async (...locales: readonly object[]) =>
    expect((await service.call('PUT', `/projects/${site}/settings`, { locales })).status).toBe(200)
  const titlesIn = async (key: string) => {
    const feed = await (await fetch(`${service.url}/public/${site}/${key}`)).text()
    return [...feed.matchAll(/<title>(Article [^<]*)</g)].map(([, title]) => title)
  }

  await article({ slug: 'one', title: 'Article one', publish_date: '2026-01-01' })
  const [english, french] = LOCALES
  await setLocales(english ?? {}, french ?? {})
  await article({ slug: 'two', title: 'Article two', publish_date: '2026-01-02' })
  await article({ slug: 'deux', title: 'Article deux', publish_date: '2026-01-03', locale: 'fr' })
  expect(await titlesIn('feed.xml')).toEqual(['Article two', 'Article one'])
  expect(await titlesIn('fr/feed.xml')).toEqual(['Article deux'])

  await setLocales({ code: 'en', label: 'English' }, { code: 'fr-CA', label: 'Français', subroute: 'fr' })
  await article({ slug: 'trois', title: 'Article trois', publish_date: '2026-01-04', locale: 'fr-CA' })
  expect(await titlesIn('feed.xml')).toEqual(['Article deux', 'Article two', 'Article one'])
  expect(await titlesIn('fr/feed.xml')).toEqual(['Article trois'])

  await setLocales()
  await article({ slug: 'four', title: 'Article four', publish_date: '2026-01-05' })
  const all = ['Article four', 'Article trois', 'Article deux', 'Article two', 'Article one']
  expect(await titlesIn('feed.xml')).toEqual(all)
})

test('a language that the site does not have is refused by name, and stays in pages that had it before', async () => {
  const body = pageBody(project, { slug: 'deutsch', locale: 'de' })
  const refused = await service.call('POST', '/pages', body)
  expect(refused.status).toBe(422)
  expect(refused.body.message).toContain('locale: must be one of en, fr.')

  const id = await create({ slug: 'upper', title: 'Upper', locale: 'FR' })
  await publish(id)
  expect(await visit('upper/')).toContain('<html lang="fr"')
  expect((await service.call('PUT', `/pages/${id}`, { locale: 'de' })).status).toBe(422)

  const site = await service.newProject()
  const early = { ...pageBody(site, { slug: 'early', type: 'docs' }), locale: 'de' }
  const before = (await service.call('POST', '/pages', early)).body.data.id
  await service.call('PUT', `/projects/${site}/settings`, { locales: LOCALES })
  expect((await service.call('PUT', `/pages/${before}`, { title: 'New', locale: 'de' })).status).toBe(200)
  const { warnings } = (await publish(before)).data
  expect(warnings).toEqual([
    {
      code: 'QN-UNKNOWN-LOCALE',
      at: 'locale',
      message: 'The site has no language de. Its languages are en, fr.',
    },
  ])
})

test('pages lead to the front page of a language once there is one, and are stale until then', async () => {
  const site = await service.newProject()
  await service.call('PUT', `/projects/${site}/settings`, { locales: LOCALES })
  const make = async (fields: object): Promise<string> =>
    (await service.call('POST', '/pages', pageBody(site, { type: 'page', ...fields }))).body.data.id
  const about = await make({ slug: 'about', title: 'About' })
  await publish(about)
  const shown = async () => [
    await (await fetch(`${service.url}/public/${site}/about/`)).text(),
    (await service.call('GET', `/render/${about}`)).body as string,
  ]
  for (const html of await shown()) expect(html).not.toContain('hreflang="fr"')
  const front = await make({ slug: 'index', subroute: 'fr', title: 'Accueil' })
  await publish(front)
  expect(await staleOf(about)).toEqual(['nav'])
  await publish(about)
  expect(await staleOf(about)).toEqual([])
  for (const html of await shown()) expect(html).toContain('hreflang="fr"')
})

test('a list of posts has those of its own language when it is published, previewed, read and found stale', async () => {
  const site = await service.newProject()
  const locales = LOCALES
  expect((await service.call('PUT', `/projects/${site}/settings`, { locales })).status).toBe(200)
  const make = async (fields: object): Promise<string> =>
    (await service.call('POST', '/pages', pageBody(site, fields))).body.data.id
  const sections = [{ type: 'posts', title: 'News' }]
  const home = await make({ slug: 'index', type: 'page', title: 'Home', config: { sections } })
  const accueil = await make({
    slug: 'index',
    subroute: 'fr',
    type: 'page',
    title: 'Accueil',
    config: { sections },
  })
  const one = { type: 'article', subroute: 'blog', slug: 'one', title: 'Article one' }
  await publish(await make(one))
  await publish(accueil)
  await publish(home)
  await publish(accueil)
  await publish(await make({ ...one, subroute: 'fr/blog', slug: 'deux', title: 'Article deux' }))

  expect(await staleOf(home)).toEqual([])
  expect(await staleOf(accueil)).toEqual(['collection'])
  const preview = async (id: string) => (await service.call('GET', `/render/${id}`)).body
  const document = async (id: string) => (await service.call('GET', `/pages/${id}?format=markdown`)).body
  await publish(accueil)
  const shown = [
    [await (await fetch(`${service.url}/public/${site}/`)).text(), 'one'],
    [await preview(home), 'one'],
    [await document(home), 'one'],
    [await (await fetch(`${service.url}/public/${site}/fr/`)).text(), 'deux'],
    [await preview(accueil), 'deux'],
    [await document(accueil), 'deux'],
  ] as const
  for (const [text, name] of shown)
    expect(['one', 'deux'].filter((other) => JSON.stringify(text).includes(`Article ${other}`))).toEqual([
      name,
    ])
})

test('a page of an old version is published where its path in the latest version would be longer than a path may be', async () => {
  const site = await service.newProject()
  const folders = (count: number) =>
    Array.from({ length: count }, (_, index) => `${index}`.repeat(100)).join('/')
  const versions = [
    { name: '2.0', subroute: folders(7), latest: true },
    { name: '1.0', subroute: 'v1' },
  ]
  const settings = { locales: LOCALES, versions }
  expect((await service.call('PUT', `/projects/${site}/settings`, settings)).status).toBe(200)
  const add = async (subroute: string) => {
    const fields = { type: 'docs', slug: 'install', title: 'Install', subroute }
    const { id } = (await service.call('POST', '/pages', pageBody(site, fields))).body.data
    await publish(id)
  }
  await add(`fr/v1/${folders(6)}`)
  await add(`v1/${folders(6)}`)
  const html = await (await fetch(`${service.url}/public/${site}/v1/${folders(6)}/install/`)).text()
  expect(html).toContain(`fr/v1/${folders(6)}/install/"`)
})
