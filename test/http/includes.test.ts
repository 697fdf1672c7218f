import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const get = async (project: string, path: string) =>
  (await service.call('GET', `/public/${project}/${path}`, undefined, { key: null })).body as string

async function newPage(project: string, slug: string, markdown_content: string): Promise<string> {
  const fields = { type: 'page', subroute: 'docs', slug, title: slug, markdown_content }
  return (await service.call('POST', '/pages', pageBody(project, fields))).body.data.id
}

const publish = (id: string) => service.call('POST', `/pages/${id}/publish`)
const edit = (id: string, markdown_content: string) =>
  service.call('PUT', `/pages/${id}`, { markdown_content })
const staleOf = async (id: string) => (await service.call('GET', `/pages/${id}`)).body.data.stale

test('a page includes the published text of another one, and is stale when that is published with other content', async () => {
  const project = await service.newProject()
  const shared = await newPage(
    project,
    'shared',
    '# shared\n\nBefore you start.\n\n## Limits\n\nTen a day, see [more](more) and [top](/docs).\n\n## Other\n\nElse.',
  )
  const page = await newPage(
    project,
    'page',
    'Intro.\n\n::include{page="/docs/shared" heading="limits"}\n\n```\n::include{page="/nowhere"}\n```',
  )
  expect((await publish(shared)).status).toBe(200)
  expect((await publish(page)).status).toBe(200)
  const shown = () => get(project, 'docs/page/')
  expect(await shown()).toMatch(/Intro\.[\s\S]*Ten a day/)
  expect(await shown()).toContain('href="../../docs/shared/more/"')
  expect(await shown()).not.toMatch(/Before you start|Else\./)
  expect(await shown()).toContain('/nowhere')
  expect(await staleOf(page)).toEqual([])

  await edit(shared, '## Limits\n\nTwenty a day.')
  expect(await staleOf(page)).toEqual([])
  await publish(page)
  expect(await shown()).not.toContain('Twenty')
  await publish(shared)
  expect(await staleOf(page)).toEqual(['content'])
  expect(await shown()).toContain('Ten a day')
  const job = await service.call('POST', `/projects/${project}/publish`, { pages: 'stale' })
  expect(job.status).toBe(202)
})

test('a page that includes a draft, a missing page or itself is refused with the line and the reason', async () => {
  const project = await service.newProject()
  const draft = await newPage(project, 'draft', 'Not yet.')
  const page = await newPage(project, 'page', 'One.\n\n::include{page="/docs/draft"}')
  const refused = await publish(page)
  expect(refused.status).toBe(422)
  expect(refused.body).toMatchObject({
    name: 'validation_error',
    message: expect.stringMatching(
      /^markdown_content: Line 3: .*no published page is at \/docs\/draft\. Publish it first\. \(QN-BAD-INCLUDE\)/,
    ),
  })
  const preview = await service.call('GET', `/pages/${page}/preview`)
  expect(JSON.stringify(preview.body)).not.toContain('Not yet.')
  await publish(draft)
  expect((await publish(page)).status).toBe(200)

  await service.call('POST', `/pages/${draft}/unpublish`)
  expect(await staleOf(page)).toEqual(['content'])
  expect((await publish(page)).status).toBe(422)
  expect(await get(project, 'docs/page/')).toContain('Not yet.')

  for (const [line, message] of [
    ['::include{page="/docs/page"}', 'QN-INCLUDE-LOOP'],
    ['::include{page="https://other.example/"}', 'no published page'],
  ] as const) {
    await edit(page, line)
    const { status, body } = await publish(page)
    expect([status, body.message]).toEqual([422, expect.stringContaining(message)])
  }
})

test('pages that would include each other are refused with the chain, and so is a page that includes too much', async () => {
  const project = await service.newProject()
  const a = await newPage(project, 'a', 'Text of A.')
  const b = await newPage(project, 'b', '::include{page="a"}\n\nText of B.')
  const c = await newPage(project, 'c', '::include{page="/docs/b"}\n\nText of C.')
  await publish(a)
  await edit(b, '::include{page="/docs/a"}\n\nText of B.')
  for (const id of [b, c]) expect((await publish(id)).status).toBe(200)
  expect(await get(project, 'docs/c/')).toMatch(/Text of A[\s\S]*Text of B[\s\S]*Text of C/)
  await edit(a, '::include{page="/docs/c"}')
  const { status, body } = await publish(a)
  expect(status).toBe(422)
  expect(body.message).toContain('/docs/a → /docs/c → /docs/b → /docs/a')
  await edit(a, 'Other text of A.')
  await publish(a)
  expect(await staleOf(b)).toEqual(['content'])
  expect(await staleOf(c)).toEqual([])
  await publish(b)
  expect(await staleOf(c)).toEqual(['content'])
  await edit(c, '::include{page="/docs/b"}\n'.repeat(201))
  expect((await publish(c)).body.message).toContain('at most 200 includes')
})

test('a page of a site in Data Mode includes another one, and no file of the site has its text in plain', async () => {
  const project = await service.newProject()
  await service.call('POST', `/projects/${project}/data-mode/enable`)
  const shared = await newPage(project, 'shared', 'Hidden sentence.')
  const page = await newPage(project, 'page', '::include{page="/docs/shared"}')
  for (const id of [shared, page]) expect((await publish(id)).status).toBe(200)
  const { pages } = JSON.parse(JSON.stringify(await get(project, '_index.json')))
  expect(pages).toHaveLength(2)
  for (const { file } of pages)
    expect(JSON.stringify(await get(project, file))).not.toContain('Hidden sentence')
  await edit(shared, 'Other hidden sentence.')
  await publish(shared)
  expect(await staleOf(page)).toEqual(['content'])
})
