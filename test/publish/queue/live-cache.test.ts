import { expect, onTestFinished, test } from 'vitest'
import { LONG_FORM } from '../../support/long-form.ts'
import { startService } from '../../support/service.ts'

test.runIf(LONG_FORM)('two services on one database never drop pages that the other published', async () => {
  const first = await startService()
  onTestFinished(() => first.close())
  const second = await startService({ data: first.data, env: { QUOIN_CONTENT_URL: `${first.url}/public` } })
  onTestFinished(() => second.close())

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

async function listed(url: string, project: string) {
  // biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
  const read = async (file: string): Promise<any> => (await fetch(`${url}/public/${project}/${file}`)).json()
  const [index, nav] = [await read('_index.json'), await read('_nav/docs.json').catch(() => ({ items: [] }))]
  const pathOf = ({ url, path }: { url?: string; path?: string }) => url ?? path
  return { index: index.pages.map(pathOf), nav: nav.items.map(pathOf) }
}
