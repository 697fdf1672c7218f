import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { openAdministration } from '../../src/app/administration.ts'
import { readConfig } from '../../src/app/config.ts'
import { DEFAULT_PERMISSIONS } from '../../src/domain/caller.ts'
import { startCommand } from './command.ts'
import { temporaryFolder } from './temporary-folder.ts'

const entry = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const probe = fileURLToPath(new URL('./stall-probe.mjs', import.meta.url))

/** Starts the compiled service in a process of its own, which measures its stalls. It ends with the test. */
export async function startProbedService() {
  const data = await temporaryFolder()
  const service = spawn(
    process.execPath,
    ['--import', probe, entry, 'serve', '--data', data, '--port', '0', '--allow-http', 'true'],
    {
      env: { PATH: process.env['PATH'] ?? '' },
      stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    },
  )
  onTestFinished(() => void service.kill('SIGKILL'))
  let out = ''
  for (let url = null; url === null; url = /ready at (\S+)/.exec(out)) {
    const [text] = await once(service.stdout as NodeJS.ReadableStream, 'data')
    out += String(text)
  }
  const create = ['keys', 'create', '--data', data, '--name', 'test', '--plan', 'enterprise', '--json']
  const { key } = JSON.parse((await startCommand(create).ended).out)
  return {
    key: String(key),
    otherKey,
    url: /ready at (\S+)/.exec(out)?.[1] ?? '',
    data,
    longestStall,
    memory,
  }

  /** A key of another account. */
  async function otherKey(): Promise<string> {
    const { accounts, close } = await openAdministration(readConfig({ QUOIN_DATA: data }))
    const { id } = await accounts.createUser('other@example.com', true)
    const wanted = { projectScope: null, name: 'test', permissions: DEFAULT_PERMISSIONS, expiresAt: null }
    const { key: other } = await accounts.createKey({ ...wanted, userId: id, plan: 'enterprise' })
    await close()
    return other
  }

  /** CPU time in ms of the longest stretch without a turn of the event loop since the last call. */
  async function longestStall(): Promise<number> {
    service.send('read')
    const [{ cpuMs }] = await once(service, 'message')
    return cpuMs
  }

  /** Bytes that the service itself has in memory, without its children. */
  async function memory(): Promise<number> {
    const [, kilobytes] =
      /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${service.pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) * 1024
  }
}
