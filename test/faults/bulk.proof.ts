import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { LONG_FORM } from '../support/long-form.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { LONG, SEED } from './long-form.ts'
import { callApi } from './site-client.ts'
import { startVictim } from './victim.ts'

/** More than fit into the first group. */
const PAGES = 105

test.runIf(LONG !== null || LONG_FORM)(
  'a publish of many pages resumes after a crash: no page is skipped, and none changes twice',
  async () => {
    const data = await temporaryFolder()
    const before = await startVictim(data, 'lean')
    const { body: made } = await callApi(before, 'POST', '/projects', { name: 'Site' })
    const project = made.data.id
    const pages = await Promise.all(
      Array.from({ length: PAGES }, async (_, i) => {
        const page = {
          project_id: project,
          title: `Page ${i}`,
          slug: `page-${i}`,
          subroute: '',
          type: 'article',
        }
        return (await callApi(before, 'POST', '/pages', page)).body.data.id as string
      }),
    )
    const { body } = await callApi(before, 'POST', `/projects/${project}/publish`, { pages })
    const jobOf = async (service: typeof before) =>
      (await callApi(service, 'GET', `/jobs/${body.data.id}`)).body.data
    while ((await jobOf(before)).status === 'queued') await sleep(5)
    await sleep(SEED % 200)
    before.kill()
    await before.ended

    const after = await startVictim(data, 'lean')
    onTestFinished(() => after.kill())
    await expect
      .poll(() => jobOf(after), { interval: 100 })
      .toMatchObject({ status: 'succeeded', total: PAGES, done: PAGES, failed: [] })
    const answer = await fetch(`${after.url}/public/${project}/_index.json`)
    const { pages: live } = (await answer.json()) as { readonly pages: readonly { readonly id: string }[] }
    expect(live.map(({ id }) => id).sort()).toEqual([...pages].sort())
    const histories = pages.map((id) => callApi(after, 'GET', `/pages/${id}/releases`))
    const releases = (await Promise.all(histories)).map((answer) => answer.body.meta.total)
    expect(releases).toEqual(pages.map(() => 1))
  },
)
