import { expect, onTestFinished, test } from 'vitest'
import { LONG_FORM } from '../../support/long-form.ts'
import { pageBody, startService } from '../../support/service.ts'

test.runIf(LONG_FORM)('two services on one database never drop pages that the other published', async () => {
  const [first, second] = await twoServices()

  const project = await first.newProject()
  const pages: string[] = []
  for (let i = 0; i < 6; i++) {
    const body = { project_id: project, title: `P${i}`, slug: `p-${i}`, subroute: 'docs', type: 'docs' }
    pages.push((await first.call('POST', '/pages', body)).body.data.id)
  }
  const live = new Set<number>()
  // Each service publishes after the other did, and after itself, and takes pages down again.
  const steps = [0, 1, 2, 3, 0, 4, 1, 5, 2, 0]
  for (const [turn, page] of steps.entries()) {
    const service = [first, second, second, first][turn % 4] ?? first
    const key = { key: first.key }
    const act = live.has(page) ? 'unpublish' : 'publish'
    const answer = await service.call('POST', `/pages/${pages[page]}/${act}`, undefined, key)
    expect(answer.status).toBe(200)
    if (act === 'publish') live.add(page)
    else live.delete(page)

    const expected = [...live].sort().map((it) => `/docs/p-${it}`)
    expect(await listed(first.url, project)).toEqual({ index: expected, nav: expected })
  }
})

test('an unchanged publish does not hide pages that another service published', async () => {
  const [first, second] = await twoServices()
  const project = await first.newProject()
  const create = async (slug: string): Promise<string> => {
    const created = await first.call('POST', '/pages', pageBody(project, { title: slug, slug }))
    return created.body.data.id
  }
  const [one, two, three] = [await create('one'), await create('two'), await create('three')]
  const publish = async (service: typeof first, id: string) => {
    const answer = await service.call('POST', `/pages/${id}/publish`, undefined, { key: first.key })
    expect(answer.status).toBe(200)
  }

  await publish(first, one)
  await publish(second, two)
  await publish(first, two)
  await publish(first, three)

  expect((await listed(first.url, project)).index).toEqual(['/one', '/three', '/two'])
})

/** Two services on one database and one store. */
async function twoServices() {
  const first = await startService()
  onTestFinished(() => first.close())
  const second = await startService({ data: first.data, env: { QUOIN_CONTENT_URL: `${first.url}/public` } })
  onTestFinished(() => second.close())
  return [first, second] as const
}

async function listed(url: string, project: string) {
  // biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
  const read = async (file: string): Promise<any> => (await fetch(`${url}/public/${project}/${file}`)).json()
  const [index, nav] = [await read('_index.json'), await read('_nav/docs.json').catch(() => ({ items: [] }))]
  const pathOf = ({ url, path }: { url?: string; path?: string }) => url ?? path
  return { index: index.pages.map(pathOf), nav: nav.items.map(pathOf) }
}
