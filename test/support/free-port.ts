import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that the system gives to outgoing connections, which could take one before its server starts. */
const FIRST = 15_000
const COUNT = 17_000
const ATTEMPTS = 20

/** Returns a port of 127.0.0.1 on which no server listens. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = FIRST + Math.floor(Math.random() * COUNT)
    if (await isFree(port)) return port
  }
  throw new Error(`No port was free in ${ATTEMPTS} attempts.`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
    throw error
  }
  await new Promise((resolve) => server.close(resolve))
  return true
}
