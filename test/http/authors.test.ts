import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

test('an author in the data of the settings has a page that follows what is published and unpublished', async () => {
  const project = await service.newProject()
  const authors = { ines: { name: 'Ines Marlow', bio: 'Takes the slow train.' } }
  const publish = async (slug: string, author: string) => {
    const config = { publish_date: '2026-01-01', author }
    const fields = { type: 'article', subroute: 'blog', slug, title: slug, config }
    const { id } = (await service.call('POST', '/pages', pageBody(project, fields))).body.data
    await service.call('POST', `/pages/${id}/publish`)
    return id as string
  }
  const get = (path: string) => service.call('GET', `/public/${project}/${path}`, undefined, { key: null })
  const early = await publish('early', 'ines')
  expect((await get('blog/authors/ines/')).status).toBe(404)
  await service.call('PUT', `/projects/${project}/settings`, { data: { authors } })
  const { stale } = (await service.call('GET', `/pages/${early}`)).body.data
  expect(stale).toEqual(['settings'])
  const late = await publish('late', 'Ines Marlow')
  const listed = async () => (await get('blog/authors/ines/')).body as string
  expect(await listed()).toMatch(/Ines Marlow[\s\S]*Takes the slow train[\s\S]*late/)
  expect(await listed()).not.toContain('early')
  await service.call('POST', `/pages/${early}/publish`)
  expect(await listed()).toContain('early')
  expect((await get('blog/authors/ines/feed.xml')).body).toContain('<title>late</title>')
  for (const id of [early, late]) await service.call('POST', `/pages/${id}/unpublish`)
  expect((await get('blog/authors/ines/')).status).toBe(404)
  expect((await get('blog/authors/ines/feed.xml')).status).toBe(404)
})

test('an author or a term of the glossary that cannot be used is refused by name, and other data are not looked at', async () => {
  const project = await service.newProject()
  const put = (data: unknown) =>
    service.call('PUT', `/projects/${project}/settings`, { data }, { headers: { prefer: 'errors=fields' } })
  const authors = { ines: { name: 'Ines', links: 'https://social.example' }, ada: 'Ada' }
  const { status, body } = await put({ authors, glossary: { terms: { CDN: 1 }, pages: 'some' } })
  expect(status).toBe(422)
  expect(body.errors.map(({ field }: { readonly field: string }) => field)).toEqual([
    'data.authors.ines.links',
    'data.authors.ada',
    'data.glossary.pages',
    'data.glossary.terms.CDN',
  ])
  const free = { authors: { ines: { name: 'Ines', role: 7 } }, people: { ada: 'Ada', links: 1 } }
  expect((await put(free)).status).toBe(200)
  expect((await put({ authors: ['Ines', 'Ada'] })).status).toBe(200)
})

test('an article is refused by the name of its author where the path of their list would be too long', async () => {
  const project = await service.newProject()
  const authors = { ['i'.repeat(250)]: { name: 'Ines' } }
  await service.call('PUT', `/projects/${project}/settings`, { data: { authors } })
  const subroute = Array.from({ length: 7 }, () => 'a'.repeat(100)).join('/')
  const create = (author: string) => {
    const fields = { type: 'article', subroute, slug: 'one', title: 'One', config: { author } }
    return service.call('POST', '/pages', pageBody(project, fields))
  }
  const { status, body } = await create('Ines')
  expect(status).toBe(422)
  expect(body.message).toMatch(
    /^config\.author: The path .* is too long .* Shorten the short name of the author/,
  )
  expect((await create('Ada')).status).toBe(201)
})
