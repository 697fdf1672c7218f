import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { openAdministration } from '../../src/app/administration.ts'
import { readConfig } from '../../src/app/config.ts'
import { DEFAULT_PERMISSIONS } from '../../src/domain/caller.ts'
import type { UserId } from '../../src/domain/ids.ts'
import { startCommand } from './command.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The compiled service in a process of its own, whose memory can be measured. */
export interface ServiceProcess {
  readonly url: string
  /** A key without limits, and one of another user. */
  readonly keys: readonly [string, string]
  /** Resident memory in MiB; null when the process has ended. */
  memory(): number | null
  /** Opens a connection and sends this text. It reads nothing unless `read` is called on it. */
  open(text: string): Socket
  /** The value of a metric, by its name with labels. */
  metric(name: string): Promise<number>
}

export async function startServiceProcess(
  env: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> {
  const settings = {
    QUOIN_DATA: await temporaryFolder(),
    QUOIN_PORT: '0',
    QUOIN_ALLOW_HTTP: 'true',
    QUOIN_LOG_LEVEL: 'error',
    ...env,
  }
  const keys = await createKeys(settings)
  const command = startCommand(['serve'], settings)
  const [, url = ''] = await command.line(/ready at (\S+)/)
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })

  return {
    url,
    keys,
    memory: () => residentMemory(command.pid),
    open(text) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      // The service may close it at any time.
      socket.on('error', () => {})
      socket.pause()
      socket.write(text)
      sockets.push(socket)
      return socket
    },
    async metric(name) {
      const text = await (await fetch(`${url}/metrics`)).text()
      return Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.split(' ')
          .at(-1) ?? 0,
      )
    },
  }
}

/** As the operator's commands create them, in this process, because starting three commands takes seconds. */
async function createKeys(settings: Readonly<Record<string, string>>): Promise<readonly [string, string]> {
  const { accounts, close } = await openAdministration(readConfig(settings))
  const keyOf = async (userId: UserId | null) => {
    const wanted = { projectScope: null, name: 'test', permissions: DEFAULT_PERMISSIONS, expiresAt: null }
    return (await accounts.createKey({ ...wanted, userId, plan: 'enterprise' })).key
  }
  const first = await keyOf(null)
  const other = await accounts.createUser('other@example.com', true)
  const keys = [first, await keyOf(other.id)] as const
  await close()
  return keys
}

function residentMemory(pid: number): number | null {
  try {
    const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kib === undefined ? null : Number(kib) / 1024
  } catch {
    return null
  }
}
