import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** npx passes no signal on: its child only gets another parent. */
test.each(['serve', 'dev'])('ending `npx quoin %s` ends what it started', async (command) => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true })
  const program = join(PACKAGE_ROOT, 'dist/cli.js')
  await writeFile(join(folder, 'node_modules/.bin/quoin'), `#!/bin/sh\nexec node ${program} "$@"\n`, {
    mode: 0o755,
  })
  const args =
    command === 'dev' ? ['dev', join(PACKAGE_ROOT, 'templates/sites/starter'), '--port', '0'] : ['serve']
  const npx = spawn('npx', ['--no-install', 'quoin', ...args], {
    cwd: folder,
    env: { ...process.env, QUOIN_DATA: join(folder, 'data'), QUOIN_PORT: '0', QUOIN_ALLOW_HTTP: 'true' },
    // A group of its own, so that the test can end all of it.
    detached: true,
  })
  const group = npx.pid ?? expect.unreachable()
  onTestFinished(() => {
    if (isRunning(-group)) process.kill(-group, 'SIGKILL')
  })
  let out = ''
  npx.stdout.on('data', (text) => (out += text))
  await expect.poll(() => out).toMatch(/http:\/\//)
  process.kill(group, 'SIGTERM')
  await expect.poll(() => isRunning(-group)).toBe(false)
})

/** @param id of a process, or the negative one of a group. */
function isRunning(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch {
    return false
  }
}
