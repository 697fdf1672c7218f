import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../src/db/database.ts'
import { randomId as newId } from '../../src/services/new-id.ts'
import { createWriteBatcher } from '../../src/services/webhooks/write-batcher.ts'
import { newDatabase } from '../support/new-database.ts'

test('concurrent writes share transactions, and a failing one leaves nothing and affects no other', async () => {
  const connections = await newDatabase()
  const db = createDatabase(connections)
  onTestFinished(() => db.close())
  let transactions = 0
  const write = createWriteBatcher({
    write: (work) => {
      transactions += 1
      return db.write(work)
    },
  })
  const add = (email: string) =>
    write(async ({ users }) => {
      await users.insert({
        id: newId<'usr'>(),
        email,
        canCreateProjects: true,
        createdAt: '2026-01-02T03:00:00.000Z',
      })
      if (email === 'broken') throw new Error('Broken.')
      return email
    })

  const many = Array.from({ length: 40 }, (_, n) => `${n}@example.com`)
  expect(await Promise.all(many.map(add))).toEqual(many)
  expect(transactions).toBe(2)

  const ends = await Promise.allSettled(['a', 'broken', '0@example.com', 'b'].map(add))
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
  const kept = (await db.read.users.list()).map(({ email }) => email)
  expect(kept.toSorted()).toEqual([...many, 'a', 'b'].toSorted())
})
