import { expect, onTestFinished, test } from 'vitest'
import { openAdministration } from '../../src/app/administration.ts'
import { readId } from '../../src/domain/ids.ts'
import { some } from '../support/long-form.ts'
import { startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { serviceConfig } from '../support/test-database.ts'
import { callApi } from './site-client.ts'
import { storeDifferences } from './store-differences.ts'
import { startVictim } from './victim.ts'

/** A job that writes the search index may be running. */
const PATIENT = { timeout: 20_000 }

/** Before it is recorded that files may be written. */
const IN_TIME = [
  'COMMIT of claim before',
  'COMMIT of claim after',
  'releaseQueue claim after',
  'releaseQueue startDeploy before',
  'COMMIT of deploy before',
]
const TOO_LATE = [
  'COMMIT of deploy after',
  'releaseQueue startDeploy after',
  'put page before',
  'put page after',
  'put manifest before',
  'put manifest after',
  'releaseQueue commit before',
]

/** A call cannot be held within a transaction, for which the cancellation would wait. */
const CASES = [
  ...['killed, then cancelled', 'cancelled, then killed', 'cancelled, then continued'].flatMap((how) => [
    ...IN_TIME.map((point) => ({ how, point, end: 'cancelled' })),
    ...TOO_LATE.map((point) => ({ how, point, end: 'published' })),
  ]),
].filter(({ how, point }) => how.startsWith('killed') || !point.startsWith('COMMIT'))

test.each(some(CASES, 4))(
  'a group whose service is $how at $point is $end as a whole, and the answer says so',
  async ({ how, point, end }) => {
    const data = await temporaryFolder()
    const first = await startVictim(data, 'lean')
    onTestFinished(() => first.kill())
    const { pages, project } = await siteOf(first)
    const isKilledFirst = how.startsWith('killed')
    await first.arm({ point, project, failPut: null, act: isKilledFirst ? 'kill' : 'hold' })
    const started = await callApi(first, 'POST', `/projects/${project}/publish`, { pages })
    const job: string = started.body.data.id
    await (isKilledFirst ? first.ended : first.held())

    const answer = await cancelled(data, job)
    if (how.endsWith('continued')) first.proceed()
    else first.kill()
    const service = await startService({
      data,
      // The lease timeout of 4 s passes in 0.8 s, once the process that holds the lease is dead. A faster clock would
      // also end the lease of the service itself on a busy machine.
      ...(!how.endsWith('continued') && { monotonic: () => performance.now() * 5 }),
    })
    onTestFinished(() => service.close())
    const call = (path: string) => callApi({ url: service.url, key: first.key }, 'GET', path)
    const statuses = () =>
      Promise.all(pages.map(async (page) => (await call(`/pages/${page}`)).body.data.status))
    const titles = async () => {
      const { body } = await call(`/public/${project}/_index.json`)
      return body.pages.map(({ title }: { title: string }) => title).sort()
    }

    const isPublished = end === 'published'
    if (!isPublished) {
      const failed = pages.map((page_id) => ({ page_id, message: 'Cancelled on request.' }))
      expect(answer).toBe('cancelled')
      expect((await call(`/jobs/${job}`)).body.data).toMatchObject({ status: 'failed', failed })
    } else {
      expect(answer).toContain('too late')
      await expect.poll(async () => (await call(`/jobs/${job}`)).body.data.status).toBe('succeeded')
    }
    // What is published afterwards finds every address free.
    const other = await callApi({ url: service.url, key: first.key }, 'POST', '/pages', page(project, 'last'))
    const publish = `/pages/${other.body.data.id}/publish`
    expect((await callApi({ url: service.url, key: first.key }, 'POST', publish)).status).toBe(200)
    const status = isPublished ? 'published' : 'draft'
    expect(await statuses()).toEqual(['published', status, status])
    expect(await titles()).toEqual(isPublished ? ['last', 'new-0', 'new-1', 'new-2'] : ['last', 'old-0'])
    await expect.poll(() => storeDifferences(data, project), PATIENT).toEqual([])
  },
)

/** Three changed pages, of which the first one is live as it was. */
async function siteOf(connection: { readonly url: string; readonly key: string }) {
  const project: string = (await callApi(connection, 'POST', '/projects', { name: 'Site' })).body.data.id
  const pages: string[] = []
  for (let i = 0; i < 3; i++)
    pages.push((await callApi(connection, 'POST', '/pages', page(project, `old-${i}`))).body.data.id)
  await callApi(connection, 'POST', `/pages/${pages[0]}/publish`)
  for (const [i, id] of pages.entries())
    await callApi(connection, 'PUT', `/pages/${id}`, { title: `new-${i}` })
  return { project, pages }
}

function page(project: string, title: string): object {
  return { project_id: project, title, slug: title, subroute: 'docs', type: 'docs' }
}

/** What the operator's command answers. */
async function cancelled(data: string, job: string): Promise<string> {
  const administration = await openAdministration(await serviceConfig(data))
  try {
    await administration.operations.cancel(readId('job', job) ?? expect.unreachable())
    return 'cancelled'
  } catch (error) {
    return error instanceof Error ? error.message : expect.unreachable()
  } finally {
    await administration.close()
  }
}
