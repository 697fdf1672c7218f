import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Backfill, backfillStates, runBackfills } from '../../src/db/backfills.ts'
import type { Connections } from '../../src/db/connections.ts'
import { createDatabase } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import type { ProjectId } from '../../src/domain/ids.ts'
import { newPage, type Page, type PageDraft } from '../../src/domain/page.ts'
import { randomId as newId } from '../../src/services/new-id.ts'
import { insertProject } from '../support/insert-project.ts'
import { putNewDatabase } from '../support/new-database.ts'
import { createSchema, type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const NOW = '2026-01-02T03:04:05.678Z'
/** More than two batches of page creators. */
const PAGES = 1_200
const PROCESSES = 3
/** Of the backfill that this test adds. */
const BATCH = 100

const programs = postgresPrograms()
let postgres: PostgresServer | null = null
let schemas = 0
beforeAll(async () => {
  if (programs !== null) postgres = await startPostgres(programs)
})
afterAll(() => postgres?.stop())

/** Each call of what it returns opens the same database, as another process does. */
async function newSqlite(): Promise<() => Connections> {
  const file = `${await temporaryFolder()}/quoin.db`
  await putNewDatabase(file)
  return () => openSqlite(file)
}

async function newPostgres(): Promise<() => Connections> {
  const url = await createSchema(postgres?.url ?? '', `backfills_${++schemas}`)
  const { writer, close } = openPostgres(url)
  await migrate(writer)
  await close()
  return () => openPostgres(url)
}

describe.each([
  ['SQLite', newSqlite] as const,
  ...(programs === null ? [] : [['PostgreSQL', newPostgres] as const]),
])('a backfill on %s', (_, create) => {
  async function open() {
    const connect = await create()
    const processes = Array.from({ length: PROCESSES }, connect)
    onTestFinished(async () => {
      await Promise.all(processes.map(({ close }) => close()))
    })
    const [first] = processes
    if (first === undefined) expect.unreachable()
    return { processes, first, ...(await withPages(first)) }
  }

  test('names the owner as the creator of all pages from before there were members, and changes no other', async () => {
    const { processes, first, owner, member, ofMember } = await open()
    await Promise.all(processes.map((connections) => run(connections)))
    const pagesOf = async (created_by: string | null) =>
      (await first.reader('pages').where({ created_by }).select('id')).length
    expect(await pagesOf(owner)).toBe(PAGES - ofMember)
    expect(await pagesOf(member)).toBe(ofMember)
    // Each row was counted once, whichever process examined it.
    expect(await backfillStates(first.reader)).toEqual([
      { name: 'page-creators', examined: PAGES, finishedAt: NOW },
    ])
  })

  test('goes on in another process where one stopped, and does no batch twice', async () => {
    const { processes, first } = await open()
    const stopping = new AbortController()
    const interrupted = counting((batches) => batches === 3 && stopping.abort())
    await run(first, [interrupted], stopping.signal)
    expect(await backfillStates(first.reader)).toEqual([
      { name: 'counted', examined: 3 * BATCH, finishedAt: null },
    ])
    await Promise.all(processes.slice(1).map((connections) => run(connections, [counting()])))
    expect(await backfillStates(first.reader)).toEqual([
      { name: 'counted', examined: PAGES, finishedAt: NOW },
    ])
    expect(await first.reader('pages').distinct('version').pluck('version')).toEqual([2])
  })

  test('is logged when it has ended, unless a new database had no rows for it', async () => {
    const { first } = await open()
    const logged: unknown[] = []
    const empty: Backfill = { name: 'empty', step: async () => ({ examined: 0, reached: null }) }
    await runWithLog(first, (fields) => logged.push(fields), [empty, counting()])
    expect(logged).toEqual([{ backfill: 'counted', rows: PAGES }])
    expect((await backfillStates(first.reader)).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['empty', 'counted']),
    )
  })

  test('loses no change that is made meanwhile, and repeats a batch that failed', async () => {
    const { processes, first, pages } = await open()
    const stopping = new AbortController()
    let failures = 0
    const failing: Backfill = {
      name: 'failing',
      async step(trx, after) {
        await trx('pages').update({ title: 'Half of it' })
        failures += 1
        stopping.abort()
        throw new Error(`A batch failed after ${after}.`)
      },
    }
    await run(first, [failing], stopping.signal)
    expect(failures).toBe(1)
    expect(await first.reader('pages').where({ title: 'Half of it' })).toEqual([])
    const edits = pages
      .slice(0, 100)
      .map((id) => first.transact((trx) => trx('pages').where({ id }).update({ title: 'Edited' })))
    await Promise.all([...edits, ...processes.slice(1).map((connections) => run(connections, [counting()]))])
    expect(await first.reader('pages').where({ title: 'Edited', version: 2 })).toHaveLength(100)
  })
})

/** Counts up the version of each page. */
function counting(onBatch: (batches: number) => void = () => {}): Backfill {
  let batches = 0
  return {
    name: 'counted',
    async step(trx, after) {
      const ids = await trx('pages')
        .where('id', '>', after ?? '')
        .orderBy('id')
        .limit(BATCH)
        .pluck<string[]>('id')
      await trx('pages').whereIn('id', ids).increment('version', 1)
      onBatch(++batches)
      return { examined: ids.length, reached: ids.length < BATCH ? null : (ids.at(-1) ?? null) }
    },
  }
}

function run(
  connections: Connections,
  backfills?: readonly Backfill[],
  stopping = new AbortController().signal,
): Promise<void> {
  return runWithLog(connections, () => {}, backfills, stopping)
}

function runWithLog(
  connections: Connections,
  info: (fields: object, message: string) => void,
  backfills?: readonly Backfill[],
  stopping = new AbortController().signal,
): Promise<void> {
  const log = { info, error() {} }
  return runBackfills({ connections, now: () => NOW, log, ...(backfills && { backfills }) }, stopping)
}

/** A project whose pages have no creator, as before there were members, except some of a member. */
async function withPages(connections: Connections) {
  const db = createDatabase(connections)
  const project = await insertProject(db)
  const owner = await db.read.projects.ownerOf(project)
  const member = newId<'usr'>()
  const pages = Array.from({ length: PAGES }, (_, n) => page(project, `page-${n}`))
  await db.write(async (repositories) => {
    for (const page of pages) await repositories.pages.insert(page, member)
  })
  const ofMember = PAGES / 4
  const others = pages.slice(ofMember).map(({ id }) => id)
  await connections.writer('pages').whereIn('id', others).update({ created_by: null })
  return { owner, member, ofMember, pages: pages.map(({ id }) => id) }
}

function page(projectId: ProjectId, slug: string): Page {
  const draft: PageDraft = {
    projectId,
    slug,
    title: 'A page',
    subroute: '',
    type: 'article',
    description: '',
    ogImageUrl: null,
    meta: {},
    config: {},
    markdown: '',
    ownFields: {},
  }
  return newPage(draft, {
    id: newId<'page'>(),
    now: NOW,
    derive: () => ({ wordCount: 0, tags: [], feedGuid: null, contentDigest: 'x' }),
  })
}
