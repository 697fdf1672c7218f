import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LONG_FORM, shareOf } from '../support/long-form.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

/*
 * ReDoS: texts that make a vulnerable regular expression backtrack from every position, in each validated field. Their
 * time is compared with that of a harmless text of the same length. Quadratic time would be thousands of times longer.
 */

const LENGTH = LONG_FORM ? 100_000 : 50_000
const FACTOR = 60

let service: TestService
let project: string
let page: string

beforeAll(async () => {
  service = await startService()
  project = await service.newProject()
  page = (await service.call('POST', '/pages', pageBody(project))).body.data.id
})
afterAll(() => service.close())

type Request = readonly [method: string, path: string, body: object]

const create = (fields: object): Request => ['POST', '/pages', pageBody(project, fields)]
const createLegacy = (fields: object): Request => ['POST', '/v1/pages', pageBody(project, fields)]
const update = (fields: object): Request => ['PUT', `/pages/${page}`, fields]
const configure = (fields: object): Request => ['PUT', `/projects/${project}`, fields]
const configureLegacy = (fields: object): Request => ['PUT', `/v1/projects/${project}`, fields]
const set = (fields: object): Request => ['PUT', `/projects/${project}/settings`, fields]
const setLegacy = (fields: object): Request => ['PUT', `/v1/projects/${project}/settings`, fields]

/** A request for every validated field. */
const FIELDS: Readonly<Record<string, (text: string) => Request>> = {
  'project_id of a page': (text) => create({ project_id: text }),
  title: (text) => create({ title: text }),
  slug: (text) => create({ slug: text }),
  subroute: (text) => create({ subroute: text }),
  type: (text) => create({ type: text }),
  description: (text) => create({ description: text }),
  og_image_url: (text) => create({ og_image_url: text }),
  'meta.title': (text) => create({ meta: { title: text } }),
  'meta.robots': (text) => create({ meta: { robots: text } }),
  publish_date: (text) => create({ publish_date: text }),
  author: (text) => create({ author: text }),
  'author.avatar': (text) => create({ author: { name: 'A', avatar: text } }),
  parent_page: (text) => create({ parent_page: text }),
  'markdown_content of an article': (text) => update({ markdown_content: text }),
  'front matter': (text) => update({ markdown_content: `---\nauthor: '${text}'\n---\n` }),
  'config of a section': (text) => {
    const props = { title: text, subtitle: text, icon: text, image: text, link: text }
    const sections = [{ type: 'hero', id: text.slice(0, 40_000), props }]
    return create({ type: 'page', config: { sections }, status: 'never' })
  },
  'config of an item': (text) =>
    create({ type: 'item', config: { price: text, link: text }, status: 'never' }),
  'slug of an update': (text) => update({ slug: text }),
  'subroute of an update': (text) => update({ subroute: text }),
  status: (text) => update({ status: text }),
  'name of a project': (text) => configure({ name: text }),
  domain: (text) => configure({ domain: text }),
  'hosting.subdomain': (text) => configure({ hosting: { subdomain: text } }),
  'hosting.custom_domain': (text) => configure({ hosting: { custom_domain: text } }),
  'hosting.base_path': (text) => configure({ hosting: { base_path: text } }),
  'settings.favicon': (text) => configure({ settings: { favicon: text } }),
  'settings.logo': (text) => configure({ settings: { logo: text } }),
  'settings.google_analytics': (text) => configure({ settings: { google_analytics: text } }),
  'settings.custom_css': (text) => configure({ settings: { custom_css: text } }),
  favicon_url: (text) => set({ favicon_url: text }),
  meta_title: (text) => set({ meta_title: text }),
  custom_head_html: (text) => set({ custom_head_html: text }),
  footer_text: (text) => set({ footer_text: text }),
  'nav_links[0].label': (text) => set({ nav_links: [{ label: text, href: '/' }] }),
  'nav_links[0].href': (text) => set({ nav_links: [{ label: 'A', href: text }] }),
  'legacy slug': (text) => createLegacy({ slug: text }),
  'legacy subroute': (text) => createLegacy({ subroute: text }),
  pageId: (text) => ['POST', '/v1/pages/publish', { pageId: text }],
  'legacy custom_domain': (text) => configureLegacy({ settings: { custom_domain: text } }),
  'docs_nav[0].slug': (text) => setLegacy({ docs_nav: [{ title: 'A', slug: text }] }),
  'site_routes, from': (text) => setLegacy({ site_routes: { [text]: '/' } }),
  'site_routes, to': (text) => setLegacy({ site_routes: { docs: text } }),
  'shared_footer.links[0].href': (text) =>
    setLegacy({ shared_footer: { links: [{ label: 'A', href: text }] } }),
  'branding.font': (text) => setLegacy({ branding: { font: text } }),
  'an unknown field': (text) => update({ [text]: text }),
}

/** Inputs that make many regular expressions backtrack: long runs of one character with an end that does not match. */
const UNITS = [
  ...['/', '-', '.', ' ', '\t', '\n', '0', 'a', 'a-', 'a.', 'a/', '-.', ' ,', '"', "'", '(', '[', '](', '`'],
  ...['<', '<!--', '</', '&a', '#', ':', '.png?', '%2e', '*', '> ', '- ', '{', '\u00a0', 'é', '中', '😀'],
]
const END = '!\u0000'

test.runIf(LONG_FORM)('no field takes more than linear time', async () => {
  const slow: string[] = []
  for (const [turn, [name, request]] of Object.entries(FIELDS).entries()) {
    const harmless = await cost(request('x'.repeat(LENGTH)))
    for (const unit of shareOf(UNITS, 6, turn)) {
      const text = filled(unit)
      if (await isSlower(request(text), harmless)) slow.push(`${name}: ${text.slice(0, 20)}`)
    }
  }
  expect(slow).toEqual([])
})

describe('a slug pattern', () => {
  test('with the maximum number of stars costs no more than one with few', async () => {
    const slugs = Array.from({ length: LONG_FORM ? 40 : 10 }, (_, i) => `${'a'.repeat(96)}-${i}`)
    for (const slug of slugs) await service.call('POST', '/pages', pageBody(project, { slug }))
    const query = (pattern: string) => `/pages?project_id=${project}&slug=${encodeURIComponent(pattern)}`
    const harmless = await cost(['GET', query(`*${'a'.repeat(50)}*b`), {}])
    for (const pattern of [`${'*a'.repeat(95)}*b`, `${'a*'.repeat(95)}b`, `${'*'.repeat(190)}b`]) {
      const answer = await service.call('GET', query(pattern))
      expect([answer.status, answer.body.meta.total]).toEqual([200, 0])
      expect(await isSlower(['GET', query(pattern), {}], harmless)).toBe(false)
    }
  })
})

function filled(unit: string): string {
  return `a${unit.repeat(Math.ceil(LENGTH / unit.length))}${END}`
}

/** Time of a request in ms. The minimum of two, to reduce noise. */
async function cost(request: Request): Promise<number> {
  return Math.min(await once(request), await once(request))
}

async function isSlower(request: Request, harmless: number): Promise<boolean> {
  const limit = FACTOR * Math.max(harmless, 1)
  return (await once(request)) > limit && (await once(request)) > limit && (await once(request)) > limit
}

async function once([method, path, body]: Request): Promise<number> {
  const started = performance.now()
  const { status } = await service.call(method, path, method === 'GET' ? undefined : body)
  expect(status).toBeLessThan(500)
  return performance.now() - started
}
