import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LONG_FORM } from '../support/long-form.ts'
import { type Answer, pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string

beforeAll(async () => {
  service = await startService()
  project = await service.newProject()
})
afterAll(() => service.close())

const get = async (path: string) => (await service.call('GET', path)).body.data
const statuses = (answers: readonly Answer[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

describe('of requests at once', () => {
  test.runIf(LONG_FORM)('200 creates of one slug make one page', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        service.call('POST', '/pages', pageBody(project, { slug: 'contested', title: `Racer ${i}` })),
      ),
    )
    expect(statuses(answers)).toEqual({ 201: 1, 400: 199 })
    const winner = answers.find(({ status }) => status === 201)?.body.data
    const { data, meta } = (await service.call('GET', `/pages?project_id=${project}&slug=contested`)).body
    expect(meta.total).toBe(1)
    expect(data[0]).toMatchObject({ id: winner.id, page_name: winner.title })
  })

  test('moves of many pages to one address let one through', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const { body } = await service.call('POST', '/pages', pageBody(project, { slug: `mover-${i}` }))
        return body.data.id
      }),
    )
    const answers = await Promise.all(
      ids.map((id) => service.call('PUT', `/pages/${id}`, { slug: 'goal', subroute: 'docs' })),
    )
    expect(statuses(answers)).toEqual({ 200: 1, 400: 19 })
  })

  test('claims of one domain let one through', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, (_, i) => service.newProject(`Claimant ${i}`)))
    const answers = await Promise.all(
      ids.map((id) => service.call('PUT', `/projects/${id}`, { domain: 'claimed.example.com' })),
    )
    expect(statuses(answers)).toEqual({ 200: 1, 400: 11 })
    const list = await service.call('GET', '/projects?domain=claimed.example.com')
    expect(list.body.meta.total).toBe(1)
  })

  test('projects of one name each get a slug of their own', async () => {
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => service.call('POST', '/projects', { name: 'Same' })),
    )
    expect(statuses(answers)).toEqual({ 201: 16 })
    expect(new Set(answers.map(({ body }) => body.data.slug)).size).toBe(16)
  })

  test.runIf(LONG_FORM)(
    '64 updates of different settings lose nothing, whichever shape they use',
    async () => {
      const id = await service.newProject('Settings')
      const resource = `/projects/${id}/settings`
      const embedded = `/projects/${id}`
      const legacy = `/v1/projects/${id}/settings`
      /** The last two thirds of the settings are keys of objects, which are merged one by one. */
      const updates: readonly (readonly [path: string, body: object])[] = [
        [resource, { theme: 'dark' }],
        [resource, { favicon_url: '/f.ico' }],
        [resource, { og_image_url: '/o.png' }],
        [resource, { meta_title: 'T' }],
        [resource, { meta_description: 'D' }],
        [resource, { google_analytics_id: 'G-ABC1234567' }],
        [resource, { custom_head_html: '<meta>' }],
        [resource, { footer_text: 'F' }],
        [resource, { nav_links: [{ label: 'L', href: '/l' }] }],
        [embedded, { settings: { logo: '/l.png' } }],
        [embedded, { settings: { custom_css: 'a{}' } }],
        [embedded, { name: 'Renamed' }],
        [embedded, { domain: 'settings.example.com' }],
        [embedded, { hosting: { subdomain: 'settings' } }],
        [embedded, { hosting: { ssl_enabled: true } }],
        [legacy, { docs_nav: [{ title: 'N' }] }],
        [legacy, { shared_footer: { copyright: '©' } }],
        [legacy, { shared_footer: { links: [{ label: 'L', href: '/l' }] } }],
        ...Array.from(
          { length: 23 },
          (_, i) => [legacy, { branding: { [`colour_${i}`]: `#${i}` } }] as const,
        ),
        ...Array.from(
          { length: 23 },
          (_, i) => [legacy, { site_routes: { [`from-${i}`]: `/to-${i}` } }] as const,
        ),
      ]
      expect(updates).toHaveLength(64)
      const answers = await Promise.all(updates.map(([path, body]) => service.call('PUT', path, body)))
      expect(statuses(answers)).toEqual({ 200: 64 })

      expect(await get(resource)).toMatchObject({
        theme: 'dark',
        favicon_url: '/f.ico',
        og_image_url: '/o.png',
        meta_title: 'T',
        meta_description: 'D',
        google_analytics_id: 'G-ABC1234567',
        custom_head_html: '<meta>',
        footer_text: 'F',
        nav_links: [{ label: 'L', href: '/l' }],
        custom_domain: 'settings.example.com',
      })
      expect(await get(embedded)).toMatchObject({
        name: 'Renamed',
        settings: { logo: '/l.png', custom_css: 'a{}' },
        hosting: { subdomain: 'settings', ssl_enabled: true },
      })
      const shown = await get(legacy)
      expect(shown).toMatchObject({
        docs_nav: [{ title: 'N' }],
        shared_footer: { copyright: '©', links: [{ label: 'L', href: '/l' }] },
      })
      expect(Object.keys(shown.branding)).toHaveLength(24)
      expect(Object.keys(shown.site_routes)).toHaveLength(23)
    },
  )

  test('updates of different fields of one page lose nothing', async () => {
    const { id } = (await service.call('POST', '/pages', pageBody(project, { slug: 'fields' }))).body.data
    const edits = [
      { title: 'T' },
      { description: 'D' },
      { og_image_url: '/o.png' },
      { config: { own: 1 } },
      { markdown_content: 'M' },
      { publish_date: '2026-01-02' },
      { author: { name: 'Ada' } },
      ...['title', 'description', 'keywords', 'robots'].map((key) => ({ meta: { [key]: key } })),
    ]
    const answers = await Promise.all(edits.map((edit) => service.call('PUT', `/pages/${id}`, edit)))
    expect(statuses(answers)).toEqual({ 200: edits.length })
    expect(await get(`/pages/${id}`)).toMatchObject({
      page_name: 'T',
      description: 'D',
      og_image_url: '/o.png',
      config: { own: 1 },
      markdown_content: 'M',
      publish_date: '2026-01-02T00:00:00.000Z',
      author: { name: 'Ada', avatar: null },
      meta: { title: 'title', description: 'description', keywords: 'keywords', robots: 'robots' },
    })
  })

  test('one of two moves that would form a cycle succeeds', async () => {
    const [one, two] = await Promise.all(
      ['one', 'two'].map(async (slug) => {
        const body = pageBody(project, { slug: `cycle-${slug}`, type: 'docs' })
        return (await service.call('POST', '/pages', body)).body.data.id
      }),
    )
    const answers = await Promise.all([
      service.call('PUT', `/pages/${one}`, { parent_page: two }),
      service.call('PUT', `/pages/${two}`, { parent_page: one }),
    ])
    expect(statuses(answers)).toEqual({ 200: 1, 422: 1 })
  })
})
