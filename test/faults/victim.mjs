// The real service, which kills itself at the point its parent names; or, as `victim.mjs migrate`, only its
// migrations. Points are reached through the ports, the file system and the database driver: the
// service knows nothing of them.
import fs from 'node:fs/promises'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { join, sep } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

const require = createRequire(import.meta.url)
const LEDGER_METHODS = {
  leases: ['take', 'renew', 'giveBack'],
  releaseQueue: [
    'claim',
    'startDeploy',
    'claimListings',
    'commit',
    'commitDataMode',
    'fail',
    'startReverting',
    'finishReverting',
  ],
}
/** What the transaction of a statement does. */
const TRANSACTIONS = [
  [/^insert into `releases`/i, 'accept'],
  [/`attempts` = attempts \+ 1/i, 'claim'],
  [/^update `releases` set `is_deploying` = /i, 'deploy'],
  [/^(insert into|delete from) `live_pages`/i, 'commit'],
  [/^update `releases` set `state` = \?, `failure` = \?, `undo` = /i, 'reverting'],
  [/^insert into `media_variants`/i, 'variant'],
  [/^update `originals` set `variants` = /i, 'variants'],
  [/^delete from `originals`/i, 'original'],
]
const [task, data] = process.argv.slice(2)

/** @type {{ point: string | null, project: string, failPut: string | null, slowMs?: number, act?: 'kill' | 'stop' | 'hold' | 'report' }} */
let armed = { point: task === 'migrate' ? process.env.KILL_POINT : null, project: '', failPut: null }

/** Resolves when the call that is held may continue. */
let held = Promise.resolve()
let proceed = () => {}

let tidy = async () => {}

/** Connections with an open transaction, and what happens when there is none. */
const writing = new Set()
let afterWriting = () => {}
/** What the open transaction of a connection does, as far as known. */
const names = new WeakMap()
let statements = 0

process.on('message', (order) => {
  if (order === 'continue') return proceed()
  if (order === 'tidy') return tidy()
  armed = order
  process.send('armed')
})
process.on('disconnect', () => process.exit())

watchFiles()
watchDatabase()
// Only now, so that what they import is watched.
if (task === 'migrate') await migrateOnly()
else await serve()

async function serve() {
  const { startServer } = await import('../../dist/cli/server.js')
  const { readConfig } = await import('../../dist/app/config.js')
  const { createLocalFolderStorage } = await import('../../dist/storage/local-folder.js')
  const { createInProcessRenderer } = await import('../../dist/renderer/in-process.js')
  const { PERMISSIONS } = await import('../../dist/domain/caller.js')
  const config = readConfig({
    QUOIN_DATA: data,
    QUOIN_PORT: '0',
    QUOIN_ALLOW_HTTP: 'true',
    QUOIN_LOG_LEVEL: 'silent',
    QUOIN_WEBHOOK_ALLOW_PRIVATE: 'true',
    QUOIN_DATABASE_URL: process.env.QUOIN_DATABASE_URL ?? '',
    QUOIN_MASTER_KEY: process.env.QUOIN_MASTER_KEY ?? '',
  })
  const ahead = Number(process.env.QUOIN_FAULTS_AHEAD ?? 0)
  const server = await startServer(config, {
    storage: watchedStorage(createLocalFolderStorage({ root: config.storage.folder })),
    mediaStore: watchedStorage(createLocalFolderStorage({ root: config.media.folder })),
    ledger: watchedLedger,
    now: () => new Date(Date.now() + ahead).toISOString(),
    // Children would only cost time here; what they do to a publish is proven elsewhere.
    ...(task === 'lean' && { renderer: createInProcessRenderer }),
  })
  tidy = async () => {
    await server.service.runHousekeeping()
    process.send('tidied')
  }
  const { accounts } = server.service
  const owner = await accounts.firstUser()
  const { key } = await accounts.createKey({
    userId: owner.id,
    projectScope: null,
    name: 'faults',
    plan: 'enterprise',
    permissions: PERMISSIONS,
    expiresAt: null,
  })
  process.send({ url: server.baseUrl, key })
}

async function migrateOnly() {
  const { openSqlite } = await import('../../dist/db/sqlite.js')
  const { openPostgres } = await import('../../dist/db/postgres.js')
  const { migrate } = await import('../../dist/db/migrate.js')
  const url = process.env.QUOIN_DATABASE_URL
  const { writer, close } = url ? openPostgres(url) : openSqlite(join(data, 'quoin.db'))
  await migrate(writer)
  await close()
  process.disconnect?.()
}

/** Nothing after the kill runs. Where a put is to fail, a point counts only once it has. */
function reach(point) {
  if (armed.point !== point || armed.failPut !== null) return
  const { act = 'kill' } = armed
  if (act === 'kill') process.kill(process.pid, 'SIGKILL')
  armed.point = null
  if (act === 'stop') stop(point)
  else process.send('reached')
  if (act === 'hold') held = new Promise((resolve) => (proceed = resolve))
}

/** Stopped in a transaction, this process would keep all others from writing: it waits for the end of those that are not its point. */
function stop(point) {
  if (writing.size === 0 || point.startsWith('COMMIT')) return process.kill(process.pid, 'SIGSTOP')
  held = new Promise((resolve) => {
    afterWriting = () => {
      process.kill(process.pid, 'SIGSTOP')
      resolve()
    }
  })
}

/** @param key with the project's prefix. */
function kindOf(key) {
  if (!key.startsWith(`${armed.project}/`)) return 'other'
  const own = key.slice(armed.project.length + 1)
  if (own.startsWith('_assets/')) return 'asset'
  if (own.startsWith('_media/')) return 'media'
  if (own.startsWith('originals/')) return 'original'
  if (own.startsWith('variants/')) return 'variant'
  if (own.startsWith('_nav/')) return 'nav'
  if (own === '_index.json') return 'manifest'
  if (/(^|\/)tags\/([^/]+\/)?(index\.html|feed\.xml)$/.test(own)) return 'tag'
  // No page lies at the path of a whole subroute.
  if (own === 'docs/index.html') return 'listing'
  return own.endsWith('/index.html') ? 'page' : 'site'
}

function watchedStorage(storage) {
  return {
    ...storage,
    async put(object) {
      const kind = kindOf(object.key)
      reach(`put ${kind} before`)
      await held
      if (armed.failPut === kind) {
        armed.failPut = null
        throw new Error('The store is out of order.')
      }
      await storage.put(kind === 'media' ? slowed(object) : object)
      reach(`put ${kind} after`)
      await held
    },
    async delete(keys) {
      const kinds = new Set(keys.map(kindOf))
      for (const kind of kinds) reach(`delete ${kind} before`)
      await storage.delete(keys)
      for (const kind of kinds) reach(`delete ${kind} after`)
    },
  }
}

/** A store that takes a while for each chunk of a file. */
function slowed({ key, body }) {
  const { slowMs = 0 } = armed
  if (slowMs === 0 || !('open' in body)) return { key, body }
  async function* chunks() {
    for await (const chunk of body.open()) {
      await sleep(slowMs)
      yield chunk
    }
  }
  return { key, body: { ...body, open: () => Readable.from(chunks(), { objectMode: false }) } }
}

function watchedLedger(ledger) {
  const watched = Object.entries(LEDGER_METHODS).map(([port, methods]) => [
    port,
    {
      ...ledger[port],
      ...Object.fromEntries(methods.map((method) => [method, watchedMethod(port, method, ledger[port])])),
    },
  ])
  return { ...ledger, ...Object.fromEntries(watched) }
}

function watchedMethod(port, method, methods) {
  return async (...args) => {
    const isArmed = `proj_${args[0].projectId ?? args[0]}` === armed.project
    if (isArmed) reach(`${port} ${method} before`)
    await held
    const result = await methods[method](...args)
    if (isArmed) reach(`${port} ${method} after`)
    await held
    return result
  }
}

/** Between a temporary file and its place, and between an object and its empty folder. */
function watchFiles() {
  const { rename, unlink } = fs
  const kindAt = (path) =>
    kindOf(
      path
        .slice(join(data, 'cdn').length + 1)
        .split(sep)
        .join('/'),
    )
  fs.rename = async (from, to) => {
    reach(`rename ${kindAt(to)} before`)
    await rename(from, to)
    reach(`rename ${kindAt(to)} after`)
  }
  fs.unlink = async (path) => {
    await unlink(path)
    reach(`unlink ${kindAt(path)} after`)
  }
  syncBuiltinESMExports()
}

function endWriting(connection) {
  writing.delete(connection)
  if (writing.size > 0) return
  const then = afterWriting
  afterWriting = () => {}
  then()
}

/** Around the COMMIT of the transactions that matter, and at each statement of a migration. */
function watchDatabase() {
  const sqlite = require('sqlite3').Statement
  // A process has one connection to SQLite that writes.
  for (const method of ['run', 'all'])
    watchStatements(sqlite.prototype, method, (statement) => ({ sql: statement.sql, connection: sqlite }))
  watchStatements(require('pg').Client.prototype, 'query', (client, [query]) => ({
    // As on SQLite.
    sql: (query.text ?? query).replaceAll('"', '`').replaceAll(/\$\d+/g, '?'),
    connection: client,
  }))
  if (task === 'migrate')
    process.on('exit', (code) => process.stdout.write(`${code === 0 ? statements : 0}\n`))
}

/** @param read what a call of the driver's method executes, and on which connection. */
function watchStatements(prototype, method, read) {
  const real = prototype[method]
  prototype[method] = function (...args) {
    const done = args.at(-1)
    if (typeof done !== 'function') return real.apply(this, args)
    const { sql, connection } = read(this, args)
    if (/^BEGIN/i.test(sql)) {
      names.delete(connection)
      writing.add(connection)
    }
    const told = TRANSACTIONS.find(([pattern]) => pattern.test(sql))
    if (told !== undefined) names.set(connection, told[1])
    const name = names.get(connection) ?? ''
    const isCommit = /^COMMIT/i.test(sql)
    if (isCommit) reach(`COMMIT of ${name} before`)
    if (task === 'migrate') reach(`statement ${++statements}`)
    return real.call(this, ...args.slice(0, -1), (...answer) => {
      if (isCommit) reach(`COMMIT of ${name} after`)
      if (isCommit || /^ROLLBACK/i.test(sql)) endWriting(connection)
      return done.apply(this, answer)
    })
  }
}
