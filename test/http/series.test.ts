import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

test('a part that is published makes the live parts of its series stale, and their next publish lists it', async () => {
  const project = await service.newProject()
  const publish = async (slug: string, config: object) => {
    const fields = { type: 'article', subroute: 'blog', slug, title: slug, config }
    const { id } = (await service.call('POST', '/pages', pageBody(project, fields))).body.data
    await service.call('POST', `/pages/${id}/publish`)
    return id as string
  }
  const html = async (slug: string) =>
    (await service.call('GET', `/public/${project}/blog/${slug}/`, undefined, { key: null })).body as string
  const staleOf = async (id: string) => (await service.call('GET', `/pages/${id}`)).body.data.stale
  const series = (order: number) => ({
    publish_date: `2026-01-0${order}`,
    series: { name: 'By train', order },
  })
  const one = await publish('one', series(1))
  expect(await html('one')).not.toContain('class="series"')
  await publish('three', series(3))
  await service.call('POST', `/pages/${one}/publish`)
  expect(await staleOf(one)).toEqual([])
  expect(await html('one')).toContain('Part 1 of 2')
  await publish('two', series(2))
  expect(await staleOf(one)).toEqual(['collection'])
  await service.call('POST', `/pages/${one}/publish`)
  expect(await html('one')).toMatch(/Part 1 of 3[\s\S]*three\/">three<\/a>/)
  expect(await html('two')).toContain('Part 2 of 3')
})
