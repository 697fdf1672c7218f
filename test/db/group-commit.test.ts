import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { groupCommit } from '../../src/db/group-commit.ts'
import { openSqlite, type SqliteConnections } from '../../src/db/sqlite.ts'
import { createAnswerTime, waitedMs, withinAnswerTime } from '../../src/platform/answer-time.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('acknowledged work is on disk, failed work left nothing, and neither affects other work', async () => {
  const { writer, transact, reader } = await opened()
  const rows = async () => (await reader('notes').orderBy('number').pluck('number')) as number[]
  let next = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 40 }), async (fates) => {
      const first = next
      next += fates.length
      const expected = [...(await rows()), ...fates.flatMap((isGood, n) => (isGood ? [first + n] : []))]
      const ends = await Promise.allSettled(
        fates.map(async (isGood, n) => {
          await transact(async (trx) => {
            await trx('notes').insert({ number: first + n })
            if (!isGood) throw new Error(`${n} is refused.`)
          })
          return (await rows()).includes(first + n)
        }),
      )
      expect(ends.map(shown)).toEqual(fates.map((isGood, n) => (isGood ? true : `${n} is refused.`)))
      expect(await rows()).toEqual(expected)
    }),
    { numRuns: 30 },
  )
  expect(await writer('notes').pluck('number')).toHaveLength((await rows()).length)
})

test('work that waits for the same connection shares a commit, sixteen pieces at most', async () => {
  const { writer, transact } = await opened()
  const commits = counted(writer, 'COMMIT;')
  await Promise.all(
    Array.from({ length: 33 }, (_, number) => transact((trx) => trx('notes').insert({ number }))),
  )
  expect(commits()).toBe(3)
  await transact((trx) => trx('notes').insert({ number: 33 }))
  expect(commits()).toBe(4)
})

test('work sees the changes of earlier work in the same commit', async () => {
  const { transact } = await opened()
  const count = () =>
    transact(async (trx) => {
      const known: number[] = await trx('notes').orderBy('number').pluck('number')
      await trx('notes').insert({ number: known.length })
      return known.length
    })
  expect(await Promise.all(Array.from({ length: 20 }, count))).toEqual(
    Array.from({ length: 20 }, (_, n) => n),
  )
})

test('work of a request leaves the queue when the waits of the request end, and knows its own time in a shared commit', async () => {
  const { writer } = await opened()
  const transact = groupCommit(writer, 600_000)
  /** A request that has waited for so long already. */
  const within = <Result>(ms: number, work: () => Promise<Result>) => {
    let now = 0
    const time = createAnswerTime(() => now)
    now = ms
    return withinAnswerTime(time, work)
  }
  let goOn: () => void = () => {}
  const isRefused = new Promise<void>((resolve) => (goOn = resolve))
  const first = within(1_000, () =>
    transact(async () => {
      await isRefused
      return waitedMs()
    }),
  )
  const second = within(2_000, () => transact(async () => waitedMs()))
  const late = within(13_950, () => transact((trx) => trx('notes').insert({ number: 2 })))
  await expect(late).rejects.toThrow('Nothing was changed')
  goOn()
  expect(await Promise.all([first, second])).toEqual([1_000, 2_000])
  expect(await writer('notes').pluck('number')).toEqual([])
})

test('when SQLite rolls back the whole transaction, no work in it is acknowledged', async () => {
  const { transact, reader } = await opened()
  const insert = (number: number) => transact((trx) => trx('notes').insert({ number }))
  // As it does for a page that cannot be read, in the middle of whatever it was asked.
  const undone = transact(async (trx) => {
    await trx('notes').insert({ number: 2 })
    await trx.raw('ROLLBACK')
    throw new Error('The disk is broken.')
  })
  const ends = await Promise.allSettled([insert(0), insert(1), undone, insert(3), insert(4)])
  const told = ends.flatMap(({ status }, n) => (status === 'fulfilled' ? [[0, 1, 2, 3, 4][n]] : []))
  expect(told).not.toContain(2)
  expect(await reader('notes').orderBy('number').pluck('number')).toEqual(told)
  await insert(5)
  expect(await reader('notes').pluck('number')).toContain(5)
})

test('when the database is full, no work is acknowledged', async () => {
  const { writer, transact, reader } = await opened()
  const [{ page_count: pages }] = await writer.raw('PRAGMA page_count')
  await writer.raw(`PRAGMA max_page_count = ${pages + 2}`)
  const insert = (number: number, text: string) => transact((trx) => trx('notes').insert({ number, text }))
  const ends = await Promise.allSettled([
    insert(1, 'short'),
    insert(2, 'x'.repeat(100_000)),
    insert(3, 'short'),
  ])
  const told = ends.map(({ status }) => status)
  expect(told[1]).toBe('rejected')
  const written: number[] = await reader('notes').orderBy('number').pluck('number')
  expect(written).toEqual([1, 2, 3].filter((_, n) => told[n] === 'fulfilled'))
  await insert(4, 'short')
  expect(await reader('notes').pluck('number')).toContain(4)
})

test('work that cannot start in time fails, and does not start later', async () => {
  const { writer, reader } = await opened()
  // The work that starts has all the time it needs; only the late one has a deadline, which ends before the first does.
  const transact = groupCommit(writer, 600_000)
  let goOn: () => void = () => {}
  const isRefused = new Promise<void>((resolve) => (goOn = resolve))
  const slow = transact(async (trx) => {
    await trx('notes').insert({ number: 1 })
    await isRefused
  })
  const late = transact((trx) => trx('notes').insert({ number: 2 }), 50)
  await expect(late).rejects.toThrow('could not take the change within 0.05 s')
  goOn()
  await slow
  await transact((trx) => trx('notes').insert({ number: 3 }))
  expect(await reader('notes').pluck('number')).toEqual([1, 3])
})

test('while another process keeps the write lock, each piece of work fails at its own deadline', async () => {
  const folder = await temporaryFolder()
  const { writer } = await opened(folder)
  await writer.raw('PRAGMA busy_timeout = 20')
  const held = await lockedByOther(folder)
  const transact = groupCommit(writer, 400)
  const insert = (number: number) => transact((trx) => trx('notes').insert({ number }))
  const waits = await Promise.all(
    [0, 1, 2, 3].map(async (number) => {
      await sleep(number * 150)
      const start = performance.now()
      await expect(insert(number)).rejects.toThrow('within 0.4 s')
      return performance.now() - start
    }),
  )
  // One after the other, the last would wait for three deadlines.
  expect(Math.max(...waits)).toBeLessThan(2 * Math.min(...waits))
  await held.rollback()
  await insert(20)
  expect(await writer('notes').pluck('number')).toEqual([20])
})

test('work that waits for the lock of another process runs when the lock is free, in its order', async () => {
  const folder = await temporaryFolder()
  const { writer, transact } = await opened(folder)
  await writer.raw('PRAGMA busy_timeout = 20')
  const held = await lockedByOther(folder)
  const done: number[] = []
  const writes = [2, 0, 1].map(async (number) => {
    await transact((trx) => trx('notes').insert({ number }))
    done.push(number)
  })
  await sleep(200)
  expect(done).toEqual([])
  await held.rollback()
  await Promise.all(writes)
  expect(done).toEqual([2, 0, 1])
})

test('work with a shorter deadline of its own fails alone', async () => {
  const folder = await temporaryFolder()
  const { writer, transact } = await opened(folder)
  await writer.raw('PRAGMA busy_timeout = 20')
  const held = await lockedByOther(folder)
  const patient = transact((trx) => trx('notes').insert({ number: 0 }))
  await expect(transact((trx) => trx('notes').insert({ number: 1 }), 50)).rejects.toThrow('within 0.05 s')
  await held.rollback()
  await patient
  expect(await writer('notes').pluck('number')).toEqual([0])
})

/** Holds the write lock in another connection until `rollback`, or the end of the test. */
async function lockedByOther(folder: string): Promise<{ readonly rollback: () => Promise<unknown> }> {
  const other = openSqlite(join(folder, 'quoin.db'))
  const held = await other.writer.transaction()
  const rollback = async () => {
    if (!held.isCompleted()) await held.rollback()
  }
  onTestFinished(async () => {
    await rollback()
    await close(other)
  })
  return { rollback }
}

async function opened(folder?: string): Promise<SqliteConnections> {
  const connections = openSqlite(join(folder ?? (await temporaryFolder()), 'quoin.db'))
  onTestFinished(() => close(connections))
  await connections.writer.schema.createTable('notes', (table) => {
    table.integer('number').primary()
    table.text('text')
  })
  return connections
}

async function close({ writer, reader }: SqliteConnections): Promise<void> {
  await Promise.all([writer.destroy(), reader.destroy()])
}

function counted(writer: SqliteConnections['writer'], sql: string): () => number {
  let count = 0
  writer.on('query', (query: { readonly sql: string }) => {
    if (query.sql === sql) count += 1
  })
  return () => count
}

function shown(end: PromiseSettledResult<unknown>): unknown {
  return end.status === 'fulfilled' ? end.value : String(end.reason.message)
}
