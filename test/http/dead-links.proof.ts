import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createHeldStorage } from '../support/held-storage.ts'
import { createMemoryStorage } from '../support/memory-storage.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  project = await service.newProject()
})

const create = async (fields: object): Promise<string> =>
  (await service.call('POST', '/pages', pageBody(project, fields))).body.data.id
const publish = (id: string, body?: object) => service.call('POST', `/pages/${id}/publish`, body)
/** Warnings of a publish, as `at: message`. */
const warned = async (id: string): Promise<readonly string[]> =>
  ((await publish(id)).body.data.warnings ?? []).map(
    ({ at, message }: { at: string; message: string }) => `${at}: ${message}`,
  )

test('a link to a page that is not live is warned about until it is', async () => {
  const id = await create({
    slug: 'from',
    subroute: 'docs',
    markdown_content:
      '[a](/docs/to) [b](../to/) [c](/docs/to/?q=1) [self](/docs/from) [out](https://example.com/x)',
  })
  const warnings = await warned(id)
  expect(warnings).toEqual([
    'markdown_content: The link "/docs/to" is dead: no page is live at /docs/to.',
    'markdown_content: The link "../to/" is dead: no page is live at /docs/to.',
    'markdown_content: The link "/docs/to/?q=1" is dead: no page is live at /docs/to.',
  ])
  expect(await publish(id, { strict: true })).toMatchObject({ status: 422 })
  const target = await create({ slug: 'to', subroute: 'docs' })
  await publish(target)
  expect(await warned(id)).toEqual([])
  // The redirect of a page that moved is as good as the page.
  await service.call('PUT', `/pages/${target}`, { slug: 'further' })
  await publish(target)
  expect(await warned(id)).toEqual([])
})

test('a relative picture is warned about, because no file is next to a published page', async () => {
  const id = await create({
    slug: 'trip',
    markdown_content: '![Tram](tram.jpg) ![Out](https://a.example/b.png)',
  })
  expect(await warned(id)).toEqual([
    'markdown_content: The image "tram.jpg" is dead: a published page has no files next to it. Upload the picture and write /media/ and its name.',
  ])
})

test.each([
  ['of Markdown', { markdown_content: '![a](/images/none.png)' }, 'markdown_content'],
  ['of HTML', { markdown_content: '<img src="/images/none.png" alt="a">' }, 'markdown_content'],
  ['of a link preview', { og_image_url: '/images/none.png' }, 'og_image_url.src'],
  [
    'of a section',
    { type: 'page', config: { sections: [{ type: 'hero', title: 'H', image: '/images/none.png' }] } },
    'config.sections[0].image.src',
  ],
])(
  'a picture %s at a path of the site at which nothing is published is warned about',
  async (_, fields, at) => {
    const id = await create({ slug: 'shown', ...fields })
    expect(await warned(id)).toContain(
      `${at}: The image "/images/none.png" is dead: nothing is published at /images/none.png. Upload the picture and write /media/ and its name.`,
    )
    expect(await publish(id, { strict: true })).toMatchObject({ status: 422 })
  },
)

test('a picture at the path of a published file is not warned about, nor are the icons of the site', async () => {
  const id = await create({
    slug: 'icon',
    markdown_content: '![a](/apple-touch-icon.png) ![b](/_icons/icon.svg) ![c](/sitemap.xml)',
  })
  await publish(await create({ slug: 'other' }))
  expect(await warned(id)).toEqual([])
})

test('pages that go live together may lead to each other', async () => {
  const store = createHeldStorage(createMemoryStorage())
  const own = await startService({ storage: store.storage })
  onTestFinished(() => own.close())
  const site = await own.newProject()
  const make = async (slug: string, to: string): Promise<string> => {
    const fields = { slug, markdown_content: `[on](/${to}#text)\n\n## Text` }
    return (await own.call('POST', '/pages', pageBody(site, fields))).body.data.id
  }
  const ids = [await make('first', 'first'), await make('one', 'two'), await make('two', 'one')]
  const first = store.hold('first/index.html')
  const leading = own.call('POST', `/pages/${ids[0]}/publish`)
  await first.reached
  // Both are accepted while the first one is on its way, so that one batch takes them.
  const waiting = ids.slice(1).map((id) => own.call('POST', `/pages/${id}/publish`, { strict: true }))
  await expect
    .poll(async () => {
      const histories = await Promise.all(ids.slice(1).map((id) => own.call('GET', `/pages/${id}/releases`)))
      return histories.map(({ body }) => body.meta.total)
    })
    .toEqual([1, 1])
  first.open()
  for (const answer of await Promise.all([leading, ...waiting]))
    expect([answer.status, answer.body.data.warnings]).toEqual([200, undefined])
})

test('a link to a heading that is not there is warned about, on its own page and on others', async () => {
  await publish(await create({ slug: 'to', markdown_content: '## Known\n\nText.' }))
  const id = await create({
    slug: 'from',
    markdown_content: '## Here\n\n[1](#here) [2](#gone) [3](/to#known) [4](/to#gone) [5](/to/#content)',
  })
  expect(await warned(id)).toEqual([
    'markdown_content: The link "/to#gone" is dead: /to has no anchor #gone.',
    'markdown_content: The link "#gone" is dead: /from has no anchor #gone.',
  ])
})

test('the links of sections are looked at with their place, those of the site and to files are not', async () => {
  await service.call('PUT', `/projects/${project}/settings`, {
    nav_links: [{ label: 'Soon', href: '/soon' }],
  })
  const action = (href: string) => ({
    type: 'hero',
    props: { heading: 'Hello', actions: [{ label: 'Go', href }] },
  })
  const id = await create({
    slug: 'index',
    type: 'page',
    config: { sections: [action('/nowhere'), action('/brochure.pdf'), action('mailto:a@b.example')] },
  })
  const warnings = await warned(id)
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toMatch(/^config\.sections\[0\].*"\/nowhere"/)
})
