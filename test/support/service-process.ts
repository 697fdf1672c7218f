import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
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
  const key = async (...user: string[]) => {
    const { out, err } = await startCommand(
      ['keys', 'create', '--name', 'test', '--plan', 'enterprise', '--json', ...user],
      settings,
    ).ended
    if (out === '') throw new Error(err)
    return JSON.parse(out).key as string
  }
  const first = await key()
  await startCommand(['users', 'create', '--email', 'other@example.com', '--can-create-projects'], settings)
    .ended
  const keys = [first, await key('--user', 'other@example.com')] as const
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

function residentMemory(pid: number): number | null {
  try {
    const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kib === undefined ? null : Number(kib) / 1024
  } catch {
    return null
  }
}
