import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string
let n = 0

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** A page of a project of its own, live. */
async function livePage(fields: object = {}) {
  project = await service.newProject(`Site ${++n}`)
  return publishNew({ slug: 'page', markdown_content: 'Hello.', ...fields })
}

async function publishNew(fields: object): Promise<string> {
  const { id } = (await service.call('POST', '/pages', pageBody(project, fields))).body.data
  await service.call('POST', `/pages/${id}/publish`)
  return id
}

const distance = async (id: string) => {
  const { has_unpublished_changes, stale } = (await service.call('GET', `/pages/${id}`)).body.data
  const list = (await service.call('GET', `/pages?project_id=${project}`)).body.data
  const item = list.find((page: { id: string }) => page.id === id)
  expect({ has_unpublished_changes: item.has_unpublished_changes, stale: item.stale }).toEqual({
    has_unpublished_changes,
    stale,
  })
  return [has_unpublished_changes, stale]
}
const settings = (body: object) => service.call('PUT', `/projects/${project}/settings`, body)

describe('a page shows how it differs from its live version', () => {
  test('a draft has unpublished changes', async () => {
    project = await service.newProject(`Site ${++n}`)
    const { id } = (await service.call('POST', '/pages', pageBody(project))).body.data
    expect(await distance(id)).toEqual([true, []])
  })

  test('a page that was just published is not stale', async () => {
    expect(await distance(await livePage())).toEqual([false, []])
  })

  test('an edit is a reason, until it is taken back or published', async () => {
    const id = await livePage()
    await service.call('PUT', `/pages/${id}`, { markdown_content: 'Edited.' })
    expect(await distance(id)).toEqual([true, ['content']])
    await service.call('PUT', `/pages/${id}`, { markdown_content: 'Hello.' })
    expect(await distance(id)).toEqual([false, []])
    await service.call('PUT', `/pages/${id}`, { markdown_content: 'Edited.', status: 'published' })
    expect(await distance(id)).toEqual([false, []])
  })

  test('other data for templates are a reason, and the same in another order are not', async () => {
    const id = await livePage()
    await settings({ data: { prices: 3, team: [] } })
    expect(await distance(id)).toEqual([false, ['settings']])
    await service.call('POST', `/pages/${id}/publish`)
    await settings({ data: { team: [], prices: 3 } })
    expect(await distance(id)).toEqual([false, []])
    await settings({ data: {} })
    expect(await distance(id)).toEqual([false, ['settings']])
  })

  test('another way to write the same values is no change', async () => {
    const id = await livePage({ type: 'docs', meta: { title: 'T', robots: 'noindex' } })
    const rewrites = [
      { nav_order: 1 },
      { nav_order: 0 },
      { parent_page: null },
      { meta: { title: null } },
      { meta: { title: 'T' } },
      { publish_date: '2026-01-02', author: { name: 'Ada' } },
    ]
    for (const rewrite of rewrites) await service.call('PUT', `/pages/${id}`, rewrite)
    expect(await distance(id)).toEqual([false, []])
    expect((await service.call('POST', `/pages/${id}/publish`)).body.data.changed).toBe(false)
  })

  test('a field of another type is stored and has no effect', async () => {
    const id = await livePage()
    await service.call('PUT', `/pages/${id}`, { nav_order: 1, parent_page: id })
    expect(await distance(id)).toEqual([false, []])
    expect((await service.call('POST', `/pages/${id}/publish`)).body.data.changed).toBe(false)
  })

  test('settings that are taken back and given again are none', async () => {
    const legacy = (body: object) => service.call('PUT', `/v1/projects/${project}/settings`, body)
    project = await service.newProject(`Site ${++n}`)
    await legacy({ site_routes: { a: '/b', c: '/d' }, branding: { primary_color: '#123', font: 'Lato' } })
    const id = await publishNew({ slug: 'page' })
    await legacy({ site_routes: { a: null }, branding: { primary_color: null } })
    expect(await distance(id)).toEqual([false, ['settings']])
    await legacy({ site_routes: { a: '/b' }, branding: { primary_color: '#123' } })
    expect(await distance(id)).toEqual([false, []])
  })

  test('settings, theme and hosting are reasons of their own', async () => {
    const id = await livePage()
    await settings({ footer_text: 'New' })
    expect(await distance(id)).toEqual([false, ['settings']])
    await settings({ theme: 'dark' })
    expect(await distance(id)).toEqual([false, ['settings', 'theme']])
    await service.call('PUT', `/projects/${project}`, { domain: `site-${n}.example.com` })
    expect(await distance(id)).toEqual([false, ['settings', 'theme', 'hosting']])
    await service.call('POST', `/pages/${id}/publish`)
    expect(await distance(id)).toEqual([false, []])
  })

  test('a page with a theme of its own does not follow the theme of the project', async () => {
    const id = await livePage({ type: 'page', config: { theme: 'minimal', sections: [] } })
    await settings({ theme: 'dark' })
    expect(await distance(id)).toEqual([false, []])
  })

  test('a new neighbour in the docs is a reason, and another subroute is none', async () => {
    const id = await livePage({ type: 'docs', subroute: 'docs', title: 'One' })
    await publishNew({ type: 'docs', subroute: 'docs', slug: 'two', title: 'Two' })
    expect(await distance(id)).toEqual([false, ['nav']])
    await service.call('POST', `/pages/${id}/publish`)
    await publishNew({ type: 'docs', subroute: 'other', slug: 'three', title: 'Three' })
    expect(await distance(id)).toEqual([false, []])
  })

  test('publishing again takes every reason away, even one that changed nothing', async () => {
    const id = await livePage()
    await service.call('PUT', `/v1/projects/${project}/settings`, { site_routes: { elsewhere: '/other' } })
    expect(await distance(id)).toEqual([false, ['settings']])
    expect((await service.call('POST', `/pages/${id}/publish`)).body.data.changed).toBe(false)
    expect(await distance(id)).toEqual([false, []])
  })

  test('an edit of where a docs page lies, or of its type, is no change of its neighbours', async () => {
    const id = await livePage({ type: 'docs', subroute: 'docs' })
    await service.call('PUT', `/pages/${id}`, { slug: 'moved' })
    expect(await distance(id)).toEqual([true, ['content']])
    await service.call('PUT', `/v1/pages/${id}`, { slug: 'page', type: 'post' })
    expect(await distance(id)).toEqual([true, ['content']])
  })

  test('a page taken off the site is no longer stale', async () => {
    const id = await livePage()
    await settings({ footer_text: 'New' })
    await service.call('POST', `/pages/${id}/unpublish`)
    expect(await distance(id)).toEqual([true, []])
  })
})
