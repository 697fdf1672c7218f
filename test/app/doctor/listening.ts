import type { AddressInfo, Server } from 'node:net'
import { onTestFinished } from 'vitest'

/** The port of a server that listens until the test is over. */
export function listening(server: Server): Promise<number> {
  onTestFinished(() => void server.close())
  return new Promise((resolve) => server.listen(0, () => resolve((server.address() as AddressInfo).port)))
}
