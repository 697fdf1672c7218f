import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const get = (project: string, path: string) =>
  service.call('GET', `/public/${project}/${path}`, undefined, { key: null })

async function newEntry(project: string, slug: string, day: number, fields: object = {}): Promise<string> {
  const config = { list: 'changelog', version: `1.${day}`, publish_date: `2026-01-0${day}` }
  const all = { type: 'article', subroute: 'changes', slug, title: slug, config, ...fields }
  return (await service.call('POST', '/pages', pageBody(project, all))).body.data.id
}

test('publishing, editing, rolling back and unpublishing an entry changes the page of its changelog and the feed', async () => {
  const project = await service.newProject()
  const first = await newEntry(project, 'first', 1, { markdown_content: 'The **first** text.' })
  await service.call('POST', `/pages/${first}/publish`)
  const list = async () => (await get(project, 'changes/')).body as string
  const feed = async () => (await get(project, 'changes/feed.xml')).body as string
  expect(await list()).toMatch(/<article class="entry" id="first">[\s\S]*1\.1[\s\S]*<strong>first<\/strong>/)
  expect(await feed()).toContain('&lt;strong&gt;first&lt;/strong&gt;')

  const second = await newEntry(project, 'second', 2, { markdown_content: 'Second.' })
  await service.call('POST', `/pages/${second}/publish`)
  expect(await list()).toMatch(/id="second"[\s\S]*Second\.[\s\S]*id="first"/)

  await service.call('PUT', `/pages/${first}`, { markdown_content: 'Corrected.' })
  expect(await list()).not.toContain('Corrected.')
  await service.call('POST', `/pages/${first}/publish`)
  expect(await list()).toMatch(/Second\.[\s\S]*Corrected\./)
  const [, before] = (await service.call('GET', `/pages/${first}/releases`)).body.data
  const rolled = await service.call('POST', `/pages/${first}/rollback`, { release_id: before.id })
  expect(rolled.status).toBeLessThan(300)
  expect(await list()).toMatch(/Second\.[\s\S]*<strong>first<\/strong>/)

  await service.call('POST', `/pages/${second}/unpublish`)
  expect(await list()).not.toContain('Second.')
  await service.call('POST', `/pages/${first}/unpublish`)
  expect((await get(project, 'changes/')).status).toBe(404)
  expect((await get(project, 'changes/feed.xml')).status).toBe(404)
})

test('an article becomes an entry, and gets another version, by a publish that changes nothing else', async () => {
  const project = await service.newProject()
  const page = await newEntry(project, 'one', 1, { config: { publish_date: '2026-01-01' } })
  await service.call('POST', `/pages/${page}/publish`)
  const list = async () => (await get(project, 'changes/')).body as string
  expect(await list()).not.toContain('class="entry"')
  await service.call('PUT', `/pages/${page}`, {
    config: { publish_date: '2026-01-01', list: 'changelog', version: '2.0' },
  })
  await service.call('POST', `/pages/${page}/publish`)
  expect(await list()).toMatch(/class="entry" id="one"[\s\S]*2\.0/)
  await service.call('PUT', `/pages/${page}`, {
    config: { publish_date: '2026-01-01', list: 'changelog', version: '2.0.1' },
  })
  await service.call('POST', `/pages/${page}/publish`)
  expect(await list()).toContain('2.0.1')
})

test('a site in Data Mode has no list of a changelog, as it has none of a blog', async () => {
  const project = await service.newProject()
  const page = await newEntry(project, 'one', 1, { markdown_content: 'Secret text.' })
  await service.call('POST', `/pages/${page}/publish`)
  expect((await get(project, 'changes/')).body).toContain('Secret text.')
  await service.call('POST', `/projects/${project}/data-mode/enable`)
  await service.call('POST', `/pages/${page}/publish`)
  expect((await get(project, 'changes/')).status).toBe(404)
  for (const path of ['changes/', 'changes/feed.xml', 'changes/one/', 'feed.xml', '_index.json'])
    expect(JSON.stringify((await get(project, path)).body)).not.toContain('Secret text.')
})
