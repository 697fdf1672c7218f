import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../src/db/database.ts'
import type { WebhookId } from '../../src/domain/ids.ts'
import { DEFAULT_EVENT_TYPES } from '../../src/domain/webhook.ts'
import { randomId as newId } from '../../src/services/new-id.ts'
import { insertProject } from '../support/insert-project.ts'
import { newDatabase } from '../support/new-database.ts'

const NOW = '2026-01-02T03:04:05.678Z'

/** A database in which each new webhook has a number of deliveries. */
async function openWebhooks() {
  const connections = await newDatabase()
  const db = createDatabase(connections)
  onTestFinished(() => db.close())
  const projectId = await insertProject(db)
  const newHook = async (deliveries: number, state: 'pending' | 'succeeded') => {
    const id = newId<'whk'>()
    const webhook = {
      id,
      projectId,
      url: 'https://example.com/',
      events: DEFAULT_EVENT_TYPES,
      description: '',
      active: true,
      coalesceSeconds: 0,
      failingSince: null,
      offReason: null,
      createdAt: NOW,
      version: 1,
    }
    await db.write(({ webhooks }) => webhooks.insert(webhook, { sealed: 'sealed', masterKeyId: 'mk' }))
    await connections.writer.raw(
      `INSERT INTO deliveries (id, webhook_id, project_id, message_id, type, body, events, state, attempts, next_at,
          tries, created_at, finished_at)
        WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
        SELECT ? || printf('%08d', n), ?, ?, 'aaaaaaaaaaaaaaaa', 'page.published', '{}', 1, ?, 0, ?, '[]', ?, ?
        FROM numbers`,
      [deliveries, id.slice(0, 8), id, projectId, state, NOW, NOW, state === 'pending' ? null : NOW],
    )
    return id
  }
  const countOf = async (id: WebhookId) =>
    (await connections.reader('deliveries').where({ webhook_id: id }).count({ count: '*' }).first())?.count
  return { db, projectId, newHook, countOf }
}

test('only a webhook with more than 50,000 pending deliveries is disabled', async () => {
  const { db, projectId, newHook } = await openWebhooks()
  const overloaded = await newHook(50_001, 'pending')
  const busy = await newHook(50_000, 'pending')

  await db.write(({ webhooks }) => webhooks.prune(NOW))
  const stateOf = async (id: WebhookId) => {
    const { active, offReason } = (await db.read.webhooks.find(projectId, id)) ?? expect.unreachable()
    return { active, offReason }
  }
  expect(await stateOf(overloaded)).toEqual({ active: false, offReason: 'overloaded' })
  expect(await stateOf(busy)).toEqual({ active: true, offReason: null })
})

test('a webhook with many pending deliveries does not keep the ended ones of others from being pruned', async () => {
  const { db, newHook, countOf } = await openWebhooks()
  const ids = [
    await newHook(10_001, 'pending'),
    await newHook(10_002, 'succeeded'),
    await newHook(10_001, 'pending'),
  ]
  while (await db.write(({ webhooks }) => webhooks.prune(NOW)));
  expect(await Promise.all(ids.map(countOf))).toEqual([10_001, 10_000, 10_001])
})
