import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string
beforeAll(async () => {
  service = await startService()
  project = await service.newProject('Moves')
})
afterAll(() => service.close())

async function newPage(slug: string, more: object = {}): Promise<string> {
  const page = {
    project_id: project,
    title: slug,
    type: 'docs',
    subroute: 'docs',
    slug,
    markdown_content: 'Text.',
  }
  return (await service.call('POST', '/pages', { ...page, ...more })).body.data.id
}
const redirects = () => `/projects/${project}/redirects`
const listed = async () => (await service.call('GET', `${redirects()}?limit=100`)).body.data
const publish = (id: string) => service.call('POST', `/pages/${id}/publish`)
const visit = (path: string) => fetch(new URL(`/public/${project}${path}`, service.url))

const ofPage = (redirect: object) => {
  return { id: null, target: 'page', fragment: null, dead: false, created_at: null, ...redirect }
}

describe('redirects of pages', () => {
  test('lead to their page once it is published, and end with the next publish after they are deleted', async () => {
    const id = await newPage('one')
    const body = { from: '/old/one/', page_id: id }
    const created = await service.call('POST', redirects(), body)
    expect([created.status, created.body.data]).toEqual([
      201,
      ofPage({ kind: 'stated', from: '/old/one', to: '/docs/one', page_id: id, live: false }),
    ])
    await publish(id)
    expect(await listed()).toContainEqual({ ...created.body.data, live: true })
    expect(await (await visit('/old/one/')).text()).toContain('docs/one')

    const deleted = await service.call('DELETE', `${redirects()}?from=/old/one`)
    expect(deleted.body.data).toEqual({ from: '/old/one', deleted: true })
    expect(await listed()).toContainEqual({ ...created.body.data, kind: 'former', live: true })
    const page = await service.call('GET', `/pages/${id}`)
    expect(page.body.data.has_unpublished_changes).toBe(true)
  })

  test('are listed for moved pages too, and for front matter', async () => {
    const moved = await newPage('before')
    await publish(moved)
    await service.call('PUT', `/pages/${moved}`, { slug: 'after' })
    await publish(moved)
    const named = await newPage('named', { markdown_content: '---\nredirect_from: /old/named\n---\nText.' })
    expect(await listed()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'former', from: '/docs/before', to: '/docs/after', page_id: moved }),
        ofPage({ kind: 'stated', from: '/old/named', to: '/docs/named', page_id: named, live: false }),
      ]),
    )
    await service.call('POST', redirects(), { from: '/old/second', page_id: named })
    const froms = (await listed()).map(({ from }: { from: string }) => from)
    expect(froms).toEqual(expect.arrayContaining(['/old/named', '/old/second']))
  })

  test('take no path that the site leads to another page, and two requests at once write it once', async () => {
    const moved = await newPage('first-place')
    await publish(moved)
    await service.call('PUT', `/pages/${moved}`, { slug: 'second-place' })
    await publish(moved)
    const id = await newPage('wanting')
    const create = (from: string) => service.call('POST', redirects(), { from, page_id: id })
    const refused = await create('/docs/first-place')
    expect([refused.body.name, refused.body.message]).toEqual([
      'conflict',
      'The site still leads /docs/first-place to /docs/second-place. Choose another path.',
    ])
    const both = await Promise.all([create('/old/both'), create('/old/both')])
    expect(both.map(({ status }) => status)).toEqual([201, 201])
    expect((await service.call('GET', `/pages/${id}`)).body.data.config.redirect_from).toEqual(['/old/both'])
  })

  test('are refused with the reason, and a repeated one stays', async () => {
    const [id, other] = [await newPage('two'), await newPage('three')]
    await publish(other)
    const create = (body: object) => service.call('POST', redirects(), body)
    expect((await create({ from: '/old/two', page_id: id })).status).toBe(201)
    expect((await create({ from: '/old/two', page_id: id })).status).toBe(201)
    expect((await create({ from: '/old/two', page_id: other })).body.message).toBe(
      '/old/two already leads to /docs/two. Delete that redirect first.',
    )
    expect((await create({ from: '/docs/three', page_id: id })).body.message).toBe(
      '/docs/three is the path of a page.',
    )
    expect((await create({ from: 'old', page_id: id })).body.message).toContain(
      'from: must be a path of the site',
    )
    expect((await create({ from: '/old/x', page_id: 'page_none' })).status).toBe(404)
    const foreign = await service.newProject('Other')
    const answer = await service.call('POST', `/projects/${foreign}/redirects`, {
      from: '/old/x',
      page_id: id,
    })
    expect(answer.body.message).toBe('page_id: must be a page of the project.')
    expect((await service.call('DELETE', `${redirects()}?from=/nothing`)).status).toBe(404)
    for (let count = 1; count < 20; count += 1) await create({ from: `/old/two-${count}`, page_id: id })
    expect((await create({ from: '/old/more', page_id: id })).body.message).toBe(
      'A page has at most 20 redirects.',
    )
  })
})
