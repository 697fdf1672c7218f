import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { LONG_FORM } from '../support/long-form.ts'
import { pageBody, startService } from '../support/service.ts'

const PUBLISHES = 4
const LARGE = 4 * 2 ** 20

/** Bytes in use after garbage collection. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

test.runIf(LONG_FORM)('what was published is not kept in memory', async () => {
  const service = await startService()
  try {
    const { call } = service
    const project = await service.newProject()
    const { id } = (await call('POST', '/pages', pageBody(project, { type: 'page' }))).body.data
    const publish = async (word: string) => {
      // Kept, but not rendered: a page of this type shows its sections.
      const markdown_content = word.padEnd(LARGE, '.')
      expect((await call('PUT', `/pages/${id}`, { markdown_content })).status).toBe(200)
      expect((await call('POST', `/pages/${id}/publish`)).status).toBe(200)
    }
    for (const word of ['warm', 'once']) await publish(word)
    const before = heapInUse()
    for (let turn = 0; turn < PUBLISHES; turn += 1) await publish(`word${turn}`)
    expect(heapInUse() - before).toBeLessThan((PUBLISHES * LARGE) / 2)
  } finally {
    await service.close()
  }
})
