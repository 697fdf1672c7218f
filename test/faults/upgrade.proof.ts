import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { MIGRATIONS } from '../../src/db/migrate.ts'
import { openPool } from '../../src/db/postgres.ts'
import { startCommand } from '../support/command.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { postgresPrograms } from '../support/postgres.ts'
import { buildPrevious, previousCommit } from '../support/previous-release.ts'
import { pageBody } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { MASTER_KEY } from '../support/test-database.ts'
import { LONG_TIMEOUT_MS } from './long-form.ts'
import { type Process, startDatabase, startProcess } from './processes.ts'

const WRITERS = 4
/** Before the migration, after it, and beside the new version. */
const PHASE_MS = 4_000
/** Processes that migrate at once. */
const MIGRATING = 3

const programs = postgresPrograms()
const commit = previousCommit()
if (LONG_FORM && commit === null)
  console.info('Skipped: an upgrade. The history of the previous release is missing.')

describe.runIf(LONG_FORM && programs !== null && commit !== null)('processes of the previous release', () => {
  test(
    'go on under load while the database is migrated once, beside those of this release, and until they are replaced',
    upgrade,
    LONG_TIMEOUT_MS,
  )
})

async function upgrade(): Promise<void> {
  const previous = await buildPrevious(commit ?? '')
  const { directUrl: url } = await startDatabase(programs ?? '')
  const folder = await temporaryFolder()
  const settings = {
    QUOIN_DATABASE_URL: url,
    QUOIN_MASTER_KEY: MASTER_KEY,
    QUOIN_BASE_URL: 'http://quoin.test',
    QUOIN_ALLOW_HTTP: 'true',
    QUOIN_LOG_LEVEL: 'error',
    QUOIN_STORAGE_URL: `file:${join(folder, 'cdn')}`,
    QUOIN_MEDIA_URL: `file:${join(folder, 'media')}`,
  }
  const command = async (args: readonly string[], program?: string) => {
    const env = { ...settings, QUOIN_DATA: await temporaryFolder() }
    const { code, out, err } = await startCommand(args, env, program).ended
    expect({ code, out, err }).toMatchObject({ code: 0 })
    return out
  }

  const old = [
    await startProcess('serve', 'api', settings, previous),
    await startProcess('worker', 'worker', settings, previous),
  ]
  const newKey = ['keys', 'create', '--name', 'load', '--plan', 'enterprise', '--json']
  const { key } = JSON.parse(await command(newKey, previous))
  const pool = openPool(url, { max: 1 })
  onTestFinished(() => pool.destroy())
  const migrations = () => pool('knex_migrations').orderBy('id').pluck<string[]>('name')
  const before = await migrations()

  const [api] = old
  const load = await startLoad(api ?? expect.unreachable(), key)
  await sleep(PHASE_MS)
  await Promise.all(Array.from({ length: MIGRATING }, () => command(['migrate'])))
  const after = await migrations()
  expect(after).not.toEqual(before)
  expect(after).toEqual(MIGRATIONS.map(({ name }) => name))
  await sleep(PHASE_MS)

  const current = { ...settings, QUOIN_MIGRATE: 'off' }
  const next = [await startProcess('serve', 'api', current), await startProcess('worker', 'worker', current)]
  await sleep(PHASE_MS)
  load.sendTo(next[0] ?? expect.unreachable())
  await Promise.all(old.map(({ stop }) => stop()))
  await sleep(PHASE_MS)
  const { versions, refused } = await load.end()

  expect(refused, [...old, ...next].map(({ err }) => err()).join('\n')).toEqual([])
  expect(Math.min(...versions.map(({ version }) => version))).toBeGreaterThan(3)
  for (const { address, version } of versions) {
    const shown = await fetch(`${next[0]?.url}${address}`)
    expect(await shown.text()).toContain(`Version ${version}.`)
  }
  await Promise.all(next.map(({ stop }) => stop()))
  expect(await command(['verify'])).toContain('agree')
}

/** Edits and publishes pages, each by a writer of its own, until it ends. */
async function startLoad(first: Process, key: string) {
  let target = first.url
  let isOver = false
  const refused: string[] = []
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(target + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) refused.push(`${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text).data
  }
  const { id: project } = await call('POST', '/projects', { name: 'Upgraded' })
  const writers = Array.from({ length: WRITERS }, async (_, n) => {
    const { id } = await call('POST', '/pages', pageBody(project, { slug: `page-${n}` }))
    let version = 0
    while (!isOver) {
      await call('PUT', `/pages/${id}`, { markdown_content: `Version ${++version}.` })
      await call('POST', `/pages/${id}/publish`)
    }
    return { address: `/public/${project}/page-${n}/`, version }
  })
  return {
    sendTo({ url }: Process) {
      target = url
    },
    async end() {
      isOver = true
      return { versions: await Promise.all(writers), refused }
    },
  }
}
