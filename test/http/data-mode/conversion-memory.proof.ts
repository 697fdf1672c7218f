import { afterEach, expect, test } from 'vitest'
import { createInProcessRenderer } from '../../../src/renderer/in-process.ts'
import { finishedJob } from '../../support/finished-job.ts'
import { LONG_FORM } from '../../support/long-form.ts'
import { createMemoryStorage } from '../../support/memory-storage.ts'
import { pageBody, startService, type TestService } from '../../support/service.ts'

let service: TestService
afterEach(() => service.close())

test.runIf(LONG_FORM)(
  'a new key takes pages from before Data Mode along a few at a time, however many there are',
  async () => {
    const storage = createMemoryStorage()
    let [rendered, most, isCounting] = [0, 0, false]
    service = await startService({
      storage: {
        ...storage,
        put: async (object) => {
          if (isCounting && /\/page-\d+\.json$/.test(object.key)) rendered -= 1
          await storage.put(object)
        },
      },
      renderer: (themes) => {
        const renderer = createInProcessRenderer(themes)
        return {
          ...renderer,
          renderPage: async (live) => {
            if (isCounting) most = Math.max(most, ++rendered)
            return renderer.renderPage(live)
          },
        }
      },
    })
    const project = await service.newProject()
    const pages = await Promise.all(
      Array.from({ length: 100 }, async (_, n): Promise<string> => {
        const body = pageBody(project, { slug: `page-${n}`, markdown_content: `Text ${n}.` })
        return (await service.call('POST', '/pages', body)).body.data.id
      }),
    )
    const { body } = await service.call('POST', `/projects/${project}/publish`, { pages })
    expect(await finishedJob(service, body.data.id)).toMatchObject({ status: 'succeeded' })
    await service.call('POST', `/projects/${project}/data-mode/enable`)
    isCounting = true
    const answer = await service.call('POST', `/projects/${project}/data-mode/regenerate-key`)
    expect(answer.status).toBe(200)
    // Objects that were rendered and not stored yet.
    expect([most, rendered]).toEqual([32, 0])
    const keys = (await storage.list(`${project}/`)).filter((key) => !key.includes('/_'))
    expect(keys).toEqual(pages.map((_, n) => `${project}/page-${n}.json`).sort())
    const { data } = (await service.call('GET', `/projects/${project}/settings`)).body
    expect(data.data_mode.plaintext_pages).toBe(0)
  },
)
