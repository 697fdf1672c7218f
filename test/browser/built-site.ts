import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { objectHeaders } from '../../src/domain/artifact.ts'
import { writeFiles } from '../support/written-files.ts'

const ENTRY = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

export interface BuiltSite {
  readonly origin: string
  close(): Promise<void>
}

/** Builds a folder of these files with the command, and serves the result on loopback. */
export async function serveBuiltSite(
  files: Readonly<Record<string, string>>,
  theme: string,
): Promise<BuiltSite> {
  const folder = await mkdtemp(join(tmpdir(), 'quoin-built-'))
  const out = join(folder, 'dist')
  await writeFiles(folder, files)
  await promisify(execFile)(process.execPath, [ENTRY, 'build', folder, '--out', out, '--theme', theme])
  const server: Server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const key = `${decodeURIComponent(pathname.slice(1))}${pathname.endsWith('/') ? 'index.html' : ''}`
    const body = await readFile(join(out, key)).catch(() => null)
    response.writeHead(body === null ? 404 : 200, { 'content-type': objectHeaders(key).contentType })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(folder, { recursive: true, force: true })
    },
  }
}
