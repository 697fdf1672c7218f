import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Connections } from '../../../src/db/connections.ts'
import { createDatabase } from '../../../src/db/database.ts'
import { MIGRATIONS, migrate } from '../../../src/db/migrate.ts'
import { openPostgres } from '../../../src/db/postgres.ts'
import { openSqlite } from '../../../src/db/sqlite.ts'
import { insertProject } from '../../support/insert-project.ts'
import { createSchema, postgresPrograms, startPostgres } from '../../support/postgres.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const programs = postgresPrograms()
const AT = '2026-01-01T00:00:00.000Z'

describe('records from before there were changes', () => {
  test('appear with one change each, on SQLite', async () => {
    await expectCopied(openSqlite(join(await temporaryFolder(), 'quoin.db')))
  })

  test.skipIf(programs === null)('appear with one change each, on PostgreSQL', async () => {
    const server = await startPostgres(programs ?? '')
    onTestFinished(() => server.stop())
    await expectCopied(openPostgres(await createSchema(server.url, 'copied')))
  })
})

async function expectCopied(connections: Connections): Promise<void> {
  onTestFinished(connections.close)
  const { writer } = connections
  await migrate(
    writer,
    MIGRATIONS.slice(
      0,
      MIGRATIONS.findIndex(({ name }) => name === '005-changes'),
    ),
  )
  const db = createDatabase(connections)
  const [one, other, deleted] = [
    await insertProject(db),
    await insertProject(db),
    await insertProject(db),
  ] as const
  await writer('projects').where({ id: deleted }).update({ deleted_at: AT })
  for (const id of ['a', 'b']) await writer('pages').insert({ ...PAGE, id, slug: id, project_id: one })
  await writer('former_addresses').insert({
    id: 'f',
    project_id: one,
    page_id: 'a',
    path: '/old',
    left_at: AT,
  })
  await writer('redirects').insert({
    id: 'r',
    project_id: one,
    path: '/from',
    address: '/from',
    target: 'https://example.org/',
    target_kind: 'url',
    created_at: AT,
  })

  await migrate(writer)
  const listed = async (id: typeof one) =>
    (await db.read.changes.list(id, { after: 0, records: null, limit: 100 })).map(
      ({ seq, record, id, act, version, status }) => [seq, record, id, act, version, status],
    )
  expect(await listed(one)).toEqual([
    [1, 'project', one, 'project.create', 1, 'active'],
    [2, 'settings', one, 'settings.update', 1, null],
    [3, 'page', 'a', 'page.create', 4, 'draft'],
    [4, 'page', 'b', 'page.create', 4, 'draft'],
    [5, 'redirect', 'r', 'redirect.create', null, null],
    [6, 'redirect', 'f', 'redirect.create', null, null],
  ])
  expect(await listed(other)).toHaveLength(2)
  expect(await listed(deleted)).toEqual([])
  expect(await db.read.changes.state(one)).toEqual({ history: null, newest: 6, isPending: false })

  await writer('audit_log').insert({
    id: 'x',
    created_at: AT,
    user_id: 'u',
    project_id: one,
    act: 'page.update',
    target: 'a',
    actor: '{}',
  })
  await db.write(({ changes }) => changes.number(one, 10), { alone: 'changes' })
  expect((await listed(one)).at(-1)).toEqual([7, 'page', 'a', 'page.update', 4, 'draft'])
}

const PAGE = {
  title: 'Title',
  subroute: '',
  type: 'page',
  status: 'draft',
  description: '',
  meta: '{}',
  config: '{}',
  markdown: '',
  own_fields: '{}',
  sections_count: 0,
  word_count: 0,
  content_digest: '',
  created_at: AT,
  updated_at: AT,
  version: 4,
}
