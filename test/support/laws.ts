import fc from 'fast-check'
import { afterEach, expect } from 'vitest'
import { runs } from './long-form.ts'
import { takeCallsInTransactions, watchTransactions } from './transactions.ts'

/** The same values in every run, so that a failure belongs to the change under test. `QUOIN_SEED=new npm test` tries others. */
fc.configureGlobal({ seed: Number(process.env['QUOIN_SEED'] ?? 1), numRuns: runs(100) })

// A transaction that waits for a store or a network holds its locks meanwhile, on SQLite those of all writes.
watchTransactions()
afterEach(() => expect(takeCallsInTransactions(), 'calls within a transaction').toEqual([]))
