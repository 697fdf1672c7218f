// Compiles and bundles: `npm run build`. `npm run quoin` calls `ensureBuilt`, which compiles only when something that the
// build reads has changed since.
import { spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Folders and files whose change makes a build outdated. */
const INPUTS = [
  'src',
  'scripts',
  'templates/dashboard/editor',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
]
/** What the last complete build was made from. Absent while one runs, so that a killed one is repeated. */
const STAMP = `${root}dist/.built-from`
/** A folder with the process id of the build that runs. */
const LOCK = `${root}.cache/build-lock`
const POLL_MS = 100
/** Age of a prepared lock without a process id that is taken for a leftover. */
const LEFTOVER_MS = 60_000

if (import.meta.url === pathToFileURL(process.argv[1]).href) await withLock(build)

/** Builds unless the last build was made from the present sources. One process builds; others wait for it. */
export async function ensureBuilt() {
  if (isBuilt()) return
  await withLock(() => {
    // Another process may have built meanwhile.
    if (!isBuilt()) build()
  })
}

function build() {
  run('scripts/client.mjs')
  const from = sources()
  rmSync(STAMP, { force: true })
  run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json')
  run('scripts/bundle.mjs')
  run('scripts/editor-schemas.mjs')
  writeFileSync(STAMP, from)
}

function run(...command) {
  // Standard output belongs to the command that is built for.
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: ['ignore', 2, 'inherit'] })
  if (status !== 0) process.exit(status ?? 1)
}

function isBuilt() {
  return readIfExists(STAMP) === sources()
}

/** A digest of the names, sizes and times of all inputs: it changes with edits, removals and older files alike. */
function sources() {
  const hash = createHash('sha256')
  for (const input of INPUTS) {
    const entries = statSync(root + input).isDirectory()
      ? readdirSync(root + input, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ parentPath, name }) => `${parentPath}/${name}`)
      : [root + input]
    for (const file of entries.sort()) {
      const { size, mtimeMs } = statSync(file)
      hash.update(`${file}\n${size} ${mtimeMs}\n`)
    }
  }
  return hash.digest('hex')
}

async function withLock(work) {
  mkdirSync(`${root}.cache`, { recursive: true })
  removeLeftovers()
  const name = await acquire()
  const release = () => rmSync(`${LOCK}/${name}`, { force: true })
  process.once('exit', release)
  await work()
  release()
  process.off('exit', release)
}

/**
 * Waits until no other process builds. The lock is a folder with one file that names its process; the file has a name
 * of its own, so that removing the lock of a killed build never removes the next one.
 */
async function acquire() {
  const name = randomUUID()
  const prepared = `${LOCK}.${name}`
  mkdirSync(prepared)
  writeFileSync(`${prepared}/${name}`, String(process.pid))
  for (let waits = 0; ; waits++) {
    for (const other of entriesOf(LOCK)) {
      const pid = Number(readIfExists(`${LOCK}/${other}`) ?? 0)
      if (pid === 0 || !isRunning(pid)) rmSync(`${LOCK}/${other}`, { force: true })
    }
    try {
      // Replaces an empty folder only.
      renameSync(prepared, LOCK)
      return name
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(error.code)) throw error
    }
    if (waits === 0) console.error('Waiting for another build of these sources.')
    await sleep(POLL_MS)
  }
}

/** Removes the folders that killed processes prepared and never used. */
function removeLeftovers() {
  for (const entry of entriesOf(`${root}.cache`).filter((name) => name.startsWith('build-lock.'))) {
    const folder = `${root}.cache/${entry}`
    const [file] = entriesOf(folder)
    const pid = file === undefined ? 0 : Number(readIfExists(`${folder}/${file}`) ?? 0)
    // Another process may be about to write its id.
    const isOld = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0) > LEFTOVER_MS
    if (pid === 0 ? isOld : !isRunning(pid)) rmSync(folder, { recursive: true, force: true })
  }
}

function entriesOf(folder) {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (error.code === 'ENOENT') return []
    throw error
  }
}

function readIfExists(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Signals to processes of other users are refused; such a process exists.
    return error.code !== 'ESRCH'
  }
}
