import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
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

/** Sends a body of the site. */
export type Send = (response: ServerResponse, body: Buffer | null) => void

/** Builds a folder of these files with the command, and serves the result on loopback. */
export async function serveBuiltSite(
  files: Readonly<Record<string, string>>,
  theme: string,
  send?: Send,
): Promise<BuiltSite> {
  const folder = await mkdtemp(join(tmpdir(), 'quoin-built-'))
  const out = join(folder, 'dist')
  await writeFiles(folder, files)
  await quoin(folder, 'build', folder, '--out', out, '--theme', theme)
  const site = await serveFolder(out, send)
  return {
    ...site,
    async close() {
      await site.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Runs the command to its end. @param settings the folder of the user's settings. @returns what it printed. */
export async function quoin(settings: string, ...args: readonly string[]): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '', XDG_CONFIG_HOME: settings }
  const { stdout } = await promisify(execFile)(process.execPath, [ENTRY, ...args], { env })
  return stdout
}

/** Serves a built site on loopback. */
export async function serveFolder(
  folder: string,
  send: Send = (response, body) => response.end(body),
): Promise<BuiltSite> {
  const server: Server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const key = `${decodeURIComponent(pathname.slice(1))}${pathname.endsWith('/') ? 'index.html' : ''}`
    const body = await readFile(join(folder, key)).catch(() => null)
    response.writeHead(body === null ? 404 : 200, { 'content-type': objectHeaders(key).contentType })
    send(response, body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
