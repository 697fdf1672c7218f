import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ProjectId } from '../../src/domain/ids.ts'
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

test('pictures of an account that sends many leave a process to others, and those of builds use all', async () => {
  const entry = join(await temporaryFolder(), 'child.mjs')
  // A picture is done when its file says so.
  await writeFile(
    entry,
    `import { existsSync } from 'node:fs'
    process.on('message', ({ args: [file] }) => {
      const timer = setInterval(() => existsSync(file) && (clearInterval(timer), process.send({ value: file })), 5)
    })
    process.on('disconnect', () => process.exit())
    process.send({ ready: { reason: null } })`,
  )
  const images = createImagePool({ entry, size: 3, accountOf: async (project) => project })
  onTestFinished(() => images.close())
  const folder = await temporaryFolder()
  const done: string[] = []
  const send = (name: string, project?: string) =>
    images.inspect(join(folder, name), project as ProjectId | undefined).then(() => done.push(name))
  const finish = (name: string) => writeFile(join(folder, name), '')

  const many = ['a1', 'a2', 'a3', 'a4'].map((name) => send(name, 'a'))
  const other = send('b1', 'b')
  await finish('b1')
  await other
  expect(done).toEqual(['b1'])

  // The next turn is that of another account, although the first one has waited longer.
  const later = [send('c1', 'c'), send('d1', 'd')]
  await finish('c1')
  await later[0]
  await finish('d1')
  await later[1]
  expect(done).toEqual(['b1', 'c1', 'd1'])
  for (const name of ['a1', 'a2', 'a3', 'a4']) await finish(name)
  await Promise.all(many)

  const build = ['x', 'y', 'z'].map((name) => send(name))
  await finish('z')
  await build[2]
  expect(done.at(-1)).toBe('z')
  for (const name of ['x', 'y']) await finish(name)
  await Promise.all(build)
})
