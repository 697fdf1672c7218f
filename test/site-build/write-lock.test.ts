import fs from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { withBuildLock } from '../../src/site-build/write-lock.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Runs before each call of the file system, with the number of calls before. */
let beforeCall: (calls: number) => void = () => {}
let calls = 0

const originals = Object.entries(fs).filter(
  ([name, value]) => name.endsWith('Sync') && typeof value === 'function',
)
/** Other tests of the process have loaded the module already, so its imports are replaced, not the module. */
beforeAll(() => {
  const watched = originals.map(([name, value]) => [
    name,
    (...args: unknown[]) => {
      beforeCall(calls++)
      return (value as (...args: unknown[]) => unknown)(...args)
    },
  ])
  Object.assign(fs, Object.fromEntries(watched))
  syncBuiltinESMExports()
})
afterAll(() => {
  Object.assign(fs, Object.fromEntries(originals))
  syncBuiltinESMExports()
})
afterEach(() => {
  beforeCall = () => {}
})

const RUNNING = new Promise<never>(() => {})

test('exactly one of two builds that find the lock of a dead one writes, wherever they overlap', async () => {
  for (let at = 0; ; at++) {
    const out = await folderWithLockOfDeadBuild()
    const builds: string[] = []
    const start = (name: string) =>
      withBuildLock(out, () => {
        builds.push(name)
        return RUNNING
      }).catch((error) => expect(error.message).toContain('Another build is writing'))
    calls = 0
    let hasOverlapped = false
    beforeCall = (call) => {
      if (call !== at || hasOverlapped) return
      hasOverlapped = true
      void start('second')
    }
    void start('first')
    await new Promise((resolve) => setImmediate(resolve))
    beforeCall = () => {}
    if (!hasOverlapped) {
      expect(at).toBeGreaterThan(3)
      return
    }
    expect([at, builds.length]).toEqual([at, 1])
  }
})

test('the lock is free again after the work, and nothing of it stays', async () => {
  const out = await folderWithLockOfDeadBuild()
  expect(await withBuildLock(out, async () => 'done')).toBe('done')
  await expect(withBuildLock(out, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await readdir(join(out, '.quoin'))).toEqual([])
})

async function folderWithLockOfDeadBuild(): Promise<string> {
  const out = await temporaryFolder()
  await mkdir(join(out, '.quoin'))
  const { pid } = process
  // No process has this id: it is above the largest one of Linux.
  Object.defineProperty(process, 'pid', { value: 2 ** 22 + 1 })
  void withBuildLock(out, () => RUNNING)
  Object.defineProperty(process, 'pid', { value: pid })
  return out
}
