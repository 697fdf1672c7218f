import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../../src/db/repositories.ts'
import { createWriteBatcher } from '../../../src/services/webhooks/write-batcher.ts'
import { createServiceFixture, errorOf, type ServiceFixture } from '../service-fixture.ts'

let fixture: ServiceFixture
let transactions: number
let write: ReturnType<typeof createWriteBatcher>
beforeEach(async () => {
  fixture = await createServiceFixture()
  transactions = 0
  const counted: Pick<Database, 'write'> = {
    write: (work) => {
      transactions++
      return fixture.db.write(work)
    },
  }
  write = createWriteBatcher(counted)
})
afterEach(() => fixture.close())

const createUser = (email: string) =>
  write(async ({ users }) => {
    const user = { id: fixture.context.newId<'usr'>(), email, canCreateProjects: true, createdAt: 'now' }
    await users.insert(user)
    return email
  })

test('concurrent writes share a transaction, and each gets its own result', async () => {
  const emails = Array.from({ length: 10 }, (_, n) => `${n}@example.com`)
  expect(await Promise.all(emails.map(createUser))).toEqual(emails)
  expect(transactions).toBe(1)
  expect(await fixture.accounts.listUsers()).toHaveLength(10)
})

test('a write that fails does not affect the others of its batch', async () => {
  const results = await Promise.all(
    ['a@example.com', 'a@example.com', 'b@example.com'].map((email) => errorOf(createUser(email))),
  )
  expect(results).toEqual(['no error', 'conflict', 'no error'])
  expect(await fixture.accounts.listUsers()).toHaveLength(2)
})

test('more writes than fit into a batch are all done', async () => {
  const emails = Array.from({ length: 40 }, (_, n) => `${n}@example.com`)
  await Promise.all(emails.map(createUser))
  expect(transactions).toBe(2)
  expect(await fixture.accounts.listUsers()).toHaveLength(40)
})
