import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string

beforeAll(async () => {
  service = await startService()
  project = await service.newProject()
})
afterAll(() => service.close())

/** Fields that change with any edit, or with the live version. */
const withoutClock = ({ updated_at: _, ...rest }: Record<string, unknown>) => rest

/** Whatever GET shows can be sent back unchanged, and changes nothing. */
async function sendBack(path: string, at = path): Promise<void> {
  const before = (await service.call('GET', path)).body.data
  const answer = await service.call('PUT', at, before)
  expect({ status: answer.status, message: answer.body.message }).toEqual({ status: 200, message: undefined })
  const after = (await service.call('GET', path)).body.data
  expect(withoutClock(after)).toEqual(withoutClock(before))
}

const FRONT_MATTER = `---
author:
  name: Ada
  avatar: images/ada.png
publish_date: 2026-01-02
nav_order: 99999999
parent_page: aaaaaaaaaaaaaaaa
badge: New
---
Text.`

const PAGES: readonly [claim: string, fields: object][] = [
  ['a bare page', { type: 'page' }],
  ['a bare article', { type: 'article' }],
  ['a bare docs page', { type: 'docs' }],
  ['a bare item', { type: 'item' }],
  [
    'a page of sections',
    {
      type: 'page',
      config: {
        theme: 'dark',
        sections: [{ type: 'hero', id: 'top', props: { title: 'Hi' } }, { type: 'odd' }],
      },
    },
  ],
  [
    'an article with everything',
    {
      type: 'article',
      subroute: 'blog/2026',
      description: 'Described.',
      og_image_url: '/og.png',
      meta: { title: 'T', description: 'D', keywords: 'k', robots: 'noindex' },
      publish_date: '2026-01-02',
      author: { name: 'Ada', avatar: '/ada.png' },
      config: { any: [1, null] },
      markdown_content: '# Text',
    },
  ],
  ['an article whose fields come from front matter', { type: 'article', markdown_content: FRONT_MATTER }],
  ['a docs page whose fields come from front matter', { type: 'docs', markdown_content: FRONT_MATTER }],
  ['an article whose author is a word in its config', { type: 'article', config: { author: ' Ada\n' } }],
  ['a page with a slug of one letter', { type: 'page', slug: 'x' }],
  ['the front page', { type: 'page', slug: 'index' }],
  ['an item with Markdown', { type: 'item', markdown_content: 'Text', config: { price: 9.5, sections: 1 } }],
]

describe('what GET shows may be sent back:', () => {
  test.each(PAGES)('all fields of %s', async (_, fields) => {
    const body = pageBody(project, {
      slug: `page-${PAGES.findIndex(([, other]) => other === fields)}`,
      ...fields,
    })
    const { id } = (await service.call('POST', '/pages', body)).body.data
    const bare = id.slice('page_'.length)
    for (const status of ['draft', 'published', 'archived']) {
      await service.call('PUT', `/pages/${id}`, { status })
      await sendBack(`/pages/${id}`)
      await sendBack(`/pages/${bare}`)
    }
  })

  test('a docs page with a parent', async () => {
    const make = async (slug: string, parent: string | null) =>
      (await service.call('POST', '/pages', pageBody(project, { type: 'docs', slug, parent_page: parent })))
        .body.data.id
    await sendBack(`/pages/${await make('child', await make('parent', null))}`)
  })

  test('the answer of an update, and the answer of a create', async () => {
    const created = (await service.call('POST', '/pages', pageBody(project, { slug: 'answers' }))).body.data
    const updated = await service.call('PUT', `/pages/${created.id}`, created)
    expect(updated.status).toBe(200)
    const again = await service.call('PUT', `/pages/${created.id}`, updated.body.data)
    expect(withoutClock(again.body.data)).toEqual(withoutClock(updated.body.data))
  })

  test('a page as a list shows it, with its content', async () => {
    const list = await service.call('GET', `/pages?project_id=${project}&include_content=true&slug=page-4`)
    const { image, ...meta } = list.body.data[0].meta
    const answer = await service.call('PUT', `/pages/${list.body.data[0].id}`, { ...list.body.data[0], meta })
    expect(answer.status).toBe(200)
    expect(image).toBeNull()
  })

  test('a project, new and with everything set', async () => {
    await sendBack(`/projects/${project}`)
    await service.call('PUT', `/projects/${project}`, {
      domain: 'round.example.com',
      settings: {
        theme: 'minimal',
        favicon: '/f.ico',
        logo: '/l.svg',
        custom_css: 'a{}',
        google_analytics: 'G-ABC1234567',
        meta_description: 'D',
        social_image: '/s.png',
      },
      hosting: {
        mode: 'rewrite',
        subdomain: 'round',
        ssl_enabled: true,
        cdn_enabled: false,
        base_path: '/help',
      },
    })
    await sendBack(`/projects/${project}`)
    await service.call('PUT', `/projects/${project}`, { hosting: { mode: 'full_host' } })
  })

  test('the settings, new and with everything set', async () => {
    const fresh = await service.newProject('Fresh')
    await sendBack(`/projects/${fresh}/settings`)
    await sendBack(`/v1/projects/${fresh}/settings`)
    await service.call('PUT', `/v1/projects/${fresh}/settings`, {
      docs_nav: [{ title: 'G', children: [{ title: 'A', slug: 'docs/a', badge: 'New' }] }],
      shared_header: { logo: '/l.png', links: [{ label: 'L', href: '/l', external: true }] },
      shared_footer: { links: [{ title: 'G', links: [{ label: 'L', href: '/l' }] }], copyright: '©' },
      branding: { primary_color: '#123456', theme: 'dark', own: { any: 1 } },
      site_routes: { docs: '/manual', blog: '/' },
    })
    await service.call('PUT', `/projects/${fresh}/settings`, { footer_text: 'F', custom_head_html: '<meta>' })
    await sendBack(`/projects/${fresh}/settings`)
    await sendBack(`/v1/projects/${fresh}/settings`)
    await sendBack(`/projects/${fresh}`)
  })

  test('an edit in between stays', async () => {
    const { id } = (await service.call('POST', '/pages', pageBody(project, { slug: 'edited' }))).body.data
    const read = (await service.call('GET', `/pages/${id}`)).body.data
    await service.call('PUT', `/pages/${id}`, {
      ...read,
      page_name: 'New name',
      markdown_content: 'New text',
    })
    expect((await service.call('GET', `/pages/${id}`)).body.data).toMatchObject({
      page_name: 'New name',
      markdown_content: 'New text',
    })
  })
})
