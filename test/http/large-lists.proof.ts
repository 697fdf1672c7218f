import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pageBody, startService, type TestService } from '../support/service.ts'

const MIB = 2 ** 20

let service: TestService
let project: string
const slugs = ['one', 'two', 'three', 'four', 'five']

beforeAll(async () => {
  service = await startService()
  project = await service.newProject()
  for (const slug of slugs)
    await service.call('POST', '/pages', pageBody(project, { slug, markdown_content: 'x'.repeat(3 * MIB) }))
})
afterAll(() => service.close())

/** Pages of a list with content, as a client reads it that adds the number of items to its offset. */
async function readAll(query: string): Promise<{ items: { slug: string }[]; lengths: number[] }> {
  const items: { slug: string }[] = []
  const lengths: number[] = []
  for (;;) {
    const { body } = await service.call(
      'GET',
      `/pages?project_id=${project}&include_content=true&${query}&offset=${items.length}`,
    )
    items.push(...body.data)
    lengths.push(Buffer.byteLength(JSON.stringify(body)))
    expect(body.meta).toMatchObject({ offset: items.length - body.data.length, total: slugs.length })
    if (!body.meta.has_more) return { items, lengths }
  }
}

describe('a list with content', () => {
  test('stops before 8 MiB, and a client that goes on at its offset gets every page once and in order', async () => {
    const { items, lengths } = await readAll('limit=100&sort=created_at&order=asc')
    expect(items.map(({ slug }) => slug)).toEqual(slugs)
    expect(lengths.map((length) => Math.round(length / MIB))).toEqual([6, 6, 3])
  })

  test('stops at its limit when that comes first', async () => {
    const { lengths } = await readAll('limit=1&sort=created_at&order=asc')
    expect(lengths).toHaveLength(slugs.length)
  })

  test('counts the bytes of the answer, in which control characters and quotes are longer', async () => {
    const quotes = await service.newProject('Quotes')
    for (const slug of ['one', 'two', 'six'])
      await service.call(
        'POST',
        '/pages',
        pageBody(quotes, { slug, markdown_content: '"'.repeat(2_400_000) }),
      )
    const { body } = await service.call('GET', `/pages?project_id=${quotes}&include_content=true`)
    expect(body.data).toHaveLength(1)
    expect(body.meta).toMatchObject({ total: 3, has_more: true })
  })
})
