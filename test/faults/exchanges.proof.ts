import { expect, onTestFinished, test } from 'vitest'
import { openVerification } from '../../src/app/verification.ts'
import { createLocalFolderStorage } from '../../src/storage/local-folder.ts'
import { finishedJob } from '../support/finished-job.ts'
import { runs } from '../support/long-form.ts'
import { createRandom } from '../support/random.ts'
import { pageBody, startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { serviceConfig } from '../support/test-database.ts'

const PAGES = 5
const ROUNDS = runs(20)

test.each(Array.from({ length: runs(3) }, (_, seed) => seed))(
  'whatever bulk publishes move, single publishes and failures of the store meet, each address shows one page (seed %i)',
  async (seed) => {
    const random = createRandom(seed + 1)
    const data = await temporaryFolder()
    const stored = createLocalFolderStorage({ root: `${data}/cdn` })
    let failing = 0
    let aheadMs = 0
    const storage = {
      ...stored,
      async put(object: Parameters<typeof stored.put>[0]) {
        await stored.put(object)
        if (failing > 0 && random.below(12) === 0) {
          failing -= 1
          throw new Error('ENOSPC')
        }
      },
    }
    const now = () => new Date(Date.now() + aheadMs).toISOString()
    const service = await startService({ data, storage, now })
    const other = await startService({ data, storage, now })
    const { verification, close } = await openVerification(await serviceConfig(data), { recover: false })
    onTestFinished(async () => void (await Promise.all([service.close(), other.close(), close()])))
    const project = await service.newProject()
    if (seed % 3 === 2) await service.call('POST', `/projects/${project}/data-mode/enable`)
    const ids: string[] = []
    for (let i = 0; i < PAGES; i++) {
      const body = pageBody(project, { title: `Page ${i}`, slug: `slug-${i}`, markdown_content: 'Text.' })
      ids.push((await service.call('POST', '/pages', body)).body.data.id)
    }
    await finished(await service.call('POST', `/projects/${project}/publish`, { pages: ids }))

    for (let round = 0; round < ROUNDS; round++) {
      // A random permutation of the slugs, some of them free ones.
      const slugs = Array.from({ length: PAGES + 1 }, (_, i) => `slug-${i}`)
      for (const [i, id] of ids.entries())
        await service.call('PUT', `/pages/${id}`, { slug: `aside-${round}-${i}` })
      for (const id of ids) {
        const [slug] = slugs.splice(random.below(slugs.length), 1)
        await service.call('PUT', `/pages/${id}`, { slug, title: `${id} ${round}` })
      }
      failing = random.below(3)
      const chosen = ids.filter(() => random.below(4) > 0)
      const jobs = [
        service.call('POST', `/projects/${project}/publish`, { pages: chosen.length > 0 ? chosen : ids }),
        ...(random.below(2) === 0
          ? [other.call('POST', `/projects/${project}/publish`, { pages: ids })]
          : []),
      ]
      const single = ids[random.below(PAGES)]
      const action = ['publish', 'unpublish', 'publish'][random.below(3)]
      const by = random.below(2) === 0 ? service : other
      const [answer, ...started] = await Promise.all([by.call('POST', `/pages/${single}/${action}`), ...jobs])
      expect([200, 400, 409, 500]).toContain(answer.status)
      for (const job of started) await finished(job)
      await expectSound()
    }
    failing = 0
    const last = await service.call('POST', `/projects/${project}/publish`, { pages: ids })
    expect(await finished(last)).toMatchObject({ status: 'succeeded' })
    const pages = await manifest()
    for (const id of ids) {
      const { body } = await service.call('GET', `/pages/${id}`)
      expect(pages.get(id)).toBe(`/${body.data.slug}`)
    }
    await expectSound()

    async function finished({ body }: { body: { data: { id: string } } }) {
      const ticking = setInterval(() => (aheadMs += 20_000), 200)
      try {
        return await finishedJob(service, body.data.id)
      } finally {
        clearInterval(ticking)
      }
    }

    async function manifest(): Promise<Map<string, string>> {
      const { body } = await service.call('GET', `/public/${project}/_index.json`, undefined, { key: null })
      return new Map(body.pages.map(({ id, url }: { id: string; url: string }) => [id, url]))
    }

    async function expectSound(): Promise<void> {
      const wanted = { project: null, repair: false, media: true, onProgress: () => {} }
      const findings = async () => (await verification.verify(wanted)).findings
      await expect.poll(findings, { interval: 200 }).toEqual([])
      const urls = [...(await manifest()).values()]
      expect(new Set(urls).size).toBe(urls.length)
    }
  },
)
