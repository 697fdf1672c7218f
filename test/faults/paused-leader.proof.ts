import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { RECHECK, SEARCH_INDEX } from '../../src/domain/job.ts'
import { some } from '../support/long-form.ts'
import { startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openServiceDatabase } from '../support/test-database.ts'
import { callApi } from './site-client.ts'
import { storeDifferences } from './store-differences.ts'
import { startVictim } from './victim.ts'

/** Longer than the time after which a take-over is rechecked. */
const SKIPPED_MS = 61_000
/** A job that writes the search index may be running. */
const PATIENT = { timeout: 20_000 }

/**
 * A bulk publish of two pages whose service stops itself at a point. Another service takes over, unpublishes the
 * second page, changes the first one, and completes the recheck of the take-over.
 */
async function pauseLeaderAt(point: string) {
  const data = await temporaryFolder()
  // Ahead by what the other service's clock skips later, so that both then agree on when jobs are due.
  const leader = await startVictim(data, 'lean', SKIPPED_MS)
  onTestFinished(() => leader.kill())
  const project = (await callApi(leader, 'POST', '/projects', { name: 'Site' })).body.data.id
  const create = async (slug: string) => {
    const fields = { project_id: project, title: 'First title', slug, subroute: 'docs', type: 'docs' }
    return (await callApi(leader, 'POST', '/pages', fields)).body.data.id as string
  }
  const pages = [await create('edited'), await create('removed')] as const
  for (const id of pages) await callApi(leader, 'POST', `/pages/${id}/publish`)
  for (const id of pages) await callApi(leader, 'PUT', `/pages/${id}`, { title: 'Late title' })
  await leader.arm({ point, project, failPut: null, act: 'stop' })
  await callApi(leader, 'POST', `/projects/${project}/publish`, { pages })
  await leader.stopped()

  let skippedMs = 0
  const successor = await startService({
    data,
    // The lease timeout of 4 s passes in 0.8 s. A faster clock would also end the lease of this service on a busy machine.
    monotonic: () => performance.now() * 5,
    now: () => new Date(Date.now() + skippedMs).toISOString(),
  })
  onTestFinished(() => successor.close())
  const call = (method: string, path: string, body?: object) =>
    callApi({ url: successor.url, key: leader.key }, method, path, body)
  await expect.poll(async () => (await call('POST', `/pages/${pages[1]}/unpublish`)).status).toBe(200)
  await call('PUT', `/pages/${pages[0]}`, { title: 'New title' })
  expect((await call('POST', `/pages/${pages[0]}/publish`)).status).toBe(200)
  skippedMs = SKIPPED_MS
  // The search index is written by a job of its own, some seconds after the publish.
  await expect.poll(() => unfinished(data, [RECHECK, SEARCH_INDEX]), PATIENT).toBe(0)
  await expect.poll(() => storeDifferences(data, project), PATIENT).toEqual([])

  return {
    differences: () => storeDifferences(data, project),
    /** Every file that publishes write with its inode, which each write changes. */
    files: () => filesIn(join(data, 'cdn', project)),
    /** Resolves when the leader has ended the batch. */
    continueLeader: () =>
      leader.resume({ point: 'leases giveBack after', project, failPut: null, act: 'report' }),
    passMinute: () => (skippedMs += SKIPPED_MS),
    unfinishedRechecks: () => unfinished(data, [RECHECK]),
  }
}

test('a leader that is paused before its first upload, and continued after the recheck, writes nothing', async () => {
  const { files, continueLeader, differences, unfinishedRechecks } =
    await pauseLeaderAt('releaseQueue claim after')
  const before = await files()
  await continueLeader()
  expect(await files()).toEqual(before)
  await expect.poll(differences, PATIENT).toEqual([])
  expect(await unfinishedRechecks()).toBe(0)
})

test.each(some(['put page before', 'rename page before', 'put nav before', 'put manifest before']))(
  'what a leader that is paused at "%s" writes after the recheck is repaired at once, and looked at again',
  async (point) => {
    const { continueLeader, differences, unfinishedRechecks, passMinute } = await pauseLeaderAt(point)
    await continueLeader()
    await expect.poll(unfinishedRechecks).toBe(1)
    await expect.poll(differences, PATIENT).toEqual([])
    passMinute()
    await expect.poll(unfinishedRechecks).toBe(0)
    await expect.poll(differences, PATIENT).toEqual([])
  },
)

/** The jobs of these kinds that have not ended. */
async function unfinished(data: string, kinds: readonly string[]): Promise<number> {
  const { reader, close } = await openServiceDatabase(data)
  try {
    const jobs = reader('jobs').whereIn('kind', kinds).whereIn('state', ['queued', 'running'])
    return (await jobs.pluck('id')).length
  } finally {
    await close()
  }
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  return (await Promise.all(files.map(async (file) => `${file} ${(await stat(file)).ino}`))).sort()
}
