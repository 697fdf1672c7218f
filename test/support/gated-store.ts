import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { startS3Server } from './s3-server.ts'

/** A bucket whose writes wait while its gate is shut. */
export interface GatedStore {
  readonly endpoint: string
  shut(): void
  open(): void
  /** Resolves when a write waits. */
  waiting(): Promise<void>
}

export async function startGatedStore(): Promise<GatedStore> {
  const store = await startS3Server()
  const { port: target } = new URL(store.endpoint)
  let gate: Gate | null = null
  let arrived = createGate()
  const proxy = createServer(async (incoming, answer) => {
    const { method = '', url, headers } = incoming
    if (method === 'PUT' && gate !== null) {
      arrived.open()
      await gate.opened
    }
    const forwarded = request({ port: target, host: '127.0.0.1', method, path: url, headers }, (received) => {
      answer.writeHead(received.statusCode ?? 500, received.headers)
      received.pipe(answer)
    })
    forwarded.on('error', () => answer.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    proxy.close()
    proxy.closeAllConnections()
    await store.close()
  })
  return {
    endpoint: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    shut() {
      gate = createGate()
      arrived = createGate()
    },
    open() {
      gate?.open()
      gate = null
    },
    waiting: () => arrived.opened,
  }
}

interface Gate {
  readonly opened: Promise<void>
  open(): void
}

function createGate(): Gate {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}
