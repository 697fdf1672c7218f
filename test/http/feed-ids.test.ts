import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMemoryStorage } from '../support/memory-storage.ts'
import { expectRefusal } from '../support/refusal.ts'
import { startService, type TestService } from '../support/service.ts'

const storage = createMemoryStorage()
let service: TestService
let project: string

beforeAll(async () => {
  service = await startService({ storage })
})
afterAll(() => service.close())
beforeEach(async () => {
  project = await service.newProject('Walks')
})

const create = async (slug: string, fields: object = {}) => {
  const body = { project_id: project, title: slug, slug, subroute: 'blog', type: 'article', tags: ['Hills'] }
  const answer = await service.call('POST', '/pages', { ...body, publish_date: '2026-01-01', ...fields })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.data.id as string
}
const publish = async (id: string) => {
  const answer = await service.call('POST', `/pages/${id}/publish`)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.data
}
const createLive = async (slug: string, fields: object = {}) => {
  const id = await create(slug, fields)
  await publish(id)
  return id
}
const put = (id: string, body: object) => service.call('PUT', `/pages/${id}`, body)
const pageOf = async (id: string) => (await service.call('GET', `/pages/${id}`)).body.data
const read = async (key: string) => Buffer.from((await storage.get(`${project}/${key}`)) ?? '').toString()
const ids = async (key: string) => {
  const text = await read(key)
  if (key.endsWith('.json')) return JSON.parse(text).items.map(({ id }: { id: string }) => id) as string[]
  return [...text.matchAll(/<id>([^<]*)<\/id>/g)].map(([, id]) => id ?? '')
}
const updated = async (key: string) => /<updated>([^<]*)</.exec(await read(key))?.[1] ?? ''

describe('the ids of feeds and of their entries', () => {
  test('stay through moves, another domain, an unpublish and a rollback, in every feed', async () => {
    const id = await createLive('one')
    const shown = {
      site: await ids('feed.xml'),
      tag: await ids('blog/tags/hills/feed.xml'),
      json: await ids('_feed.json'),
    }
    const [feed, entry] = shown.site
    expect(entry).toMatch(new RegExp(`^tag:localhost,\\d{4}-\\d\\d-\\d\\d:${project}/${id}$`))
    expect(feed).toBe(entry?.slice(0, entry.lastIndexOf('/')))
    expect(shown.tag).toEqual([`${feed}/blog/tags/hills`, entry])
    expect(shown.json).toEqual([entry])
    expect((await pageOf(id)).feed_id).toBe(entry)

    await put(id, { slug: 'two', subroute: 'blog/deeper', config: { blog: 'blog' } })
    const moved = await publish(id)
    await service.call('PUT', `/projects/${project}`, { domain: 'walks.example.com', name: 'Other walks' })
    await service.call('POST', `/pages/${id}/unpublish`)
    expect((await pageOf(id)).feed_id).toBe(entry)
    await publish(id)
    expect(await read('feed.xml')).toContain('https://walks.example.com/')
    expect(await ids('feed.xml')).toEqual(shown.site)
    await service.call('POST', `/pages/${id}/rollback`, { release_id: moved.release_id })
    expect(await ids('feed.xml')).toEqual(shown.site)
    expect(await ids('blog/tags/hills/feed.xml')).toEqual(shown.tag)
    expect(await ids('_feed.json')).toEqual(shown.json)
  })

  test('are those that their author states, and a warning says when a live article gets another one', async () => {
    await service.call('PUT', `/projects/${project}/settings`, { feed_guid: 'https://old.example.com/' })
    const guid = 'https://old.example.com/?p=41'
    const id = await createLive('one', { feed_guid: guid })
    expect(await ids('feed.xml')).toEqual(['https://old.example.com/', guid])
    expect(await ids('blog/tags/hills/feed.xml')).toEqual(['https://old.example.com/blog/tags/hills', guid])
    const { feed_guid, feed_id } = await pageOf(id)
    expect([feed_guid, feed_id]).toEqual([guid, guid])

    await put(id, { title: 'Edited' })
    expect((await publish(id)).warnings).toBeUndefined()
    await put(id, { feed_guid: 'urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8' })
    const { changed, warnings } = await publish(id)
    expect(changed).toBeUndefined()
    expect(warnings).toMatchObject([{ code: 'QN-FEED-ID', message: expect.stringContaining(guid) }])
    expect((await ids('feed.xml'))[1]).toBe('urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8')

    // Without one the article has the id that it would always have had.
    await put(id, { feed_guid: null })
    await publish(id)
    expect((await ids('feed.xml'))[1]).toContain(`${project}/${id}`)
  })

  test('may be any text of one line, with a warning for one that is no address', async () => {
    const id = await create('one', { feed_guid: 'post 41 <old>' })
    expect((await publish(id)).warnings).toMatchObject([{ code: 'QN-FEED-ID' }])
    expect((await ids('feed.xml'))[1]).toBe('post 41 &lt;old&gt;')
    expect(await ids('_feed.json')).toEqual(['post 41 <old>'])
    for (const feed_guid of ['', 'two\nlines', 'x'.repeat(501)])
      expectRefusal(await put(id, { feed_guid }), 'validation_error', 'feed_guid')
  })

  test('are unique in a project, however they are written', async () => {
    await create('one', { feed_guid: 'https://old.example.com/1' })
    const other = await create('two', {
      markdown_content: '---\nguid: https://old.example.com/2\n---\nText.',
    })
    expect((await pageOf(other)).feed_guid).toBe('https://old.example.com/2')
    expectRefusal(await put(other, { feed_guid: 'https://old.example.com/1' }), 'conflict', 'feed_guid')
    const body = { project_id: project, title: 'Three', slug: 'three', subroute: 'blog', type: 'article' }
    const taken = { ...body, feed_guid: 'https://old.example.com/2' }
    expectRefusal(await service.call('POST', '/pages', taken), 'conflict', 'feed_guid')
    project = await service.newProject('Elsewhere')
    await create('one', { feed_guid: 'https://old.example.com/1' })
  })

  test('do not make an article of feeds older when a newer one goes', async () => {
    await createLive('old', { publish_date: '2020-01-01' })
    const id = await createLive('new', { publish_date: '2026-06-01' })
    const files = ['feed.xml', 'blog/tags/hills/feed.xml']
    const before = await Promise.all(files.map(updated))
    await service.call('POST', `/pages/${id}/unpublish`)
    expect((await ids('feed.xml')).length).toBe(2)
    expect(await Promise.all(files.map(updated))).toEqual(before)
    await createLive('other', { publish_date: '2021-01-01', tags: ['Hills'] })
    expect((await updated('blog/tags/hills/feed.xml')) >= (before[1] ?? '')).toBe(true)
  })
})
