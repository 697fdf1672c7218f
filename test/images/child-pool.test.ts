import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createImagePool } from '../../src/images/child-pool.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('a process that could not be started once does not decide whether pictures are decoded', async () => {
  const entry = join(await temporaryFolder(), 'child.mjs')
  const images = createImagePool({ entry, size: 1 })
  onTestFinished(() => images.close())
  await expect(images.decodes()).rejects.toThrow('could not be started')
  await writeFile(entry, 'process.on("message", () => {}); process.send({ ready: { reason: null } })')
  expect(await images.decodes()).toBe(true)
  await rm(entry)
  expect(await images.decodes()).toBe(true)
})
