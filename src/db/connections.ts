import type { Knex } from 'knex'
import type { LateReads } from './late-reads.ts'

/**
 * Runs work in a transaction; resolves once the transaction is on disk. The work may be rolled back after it ended, or
 * run again, so it must have no effects outside of the database.
 *
 * @param startTimeoutMs how long the work may wait for other writes; 15 s unless given.
 * @throws {UnavailableError} when other writes held the work for too long.
 * @throws the error of the work; nothing of it is written then.
 */
export type Transact = <Result>(
  work: (trx: Knex.Transaction) => Promise<Result>,
  startTimeoutMs?: number,
  options?: TransactOptions,
) => Promise<Result>

export interface TransactOptions {
  /**
   * Name of work that only one transaction of all processes may do at a time. Transactions that would all change the
   * same rows then wait for each other instead of failing. SQLite runs one transaction at a time anyway.
   */
  readonly alone?: string
}

/** Knex would print each connection that fails, with its stack, to standard output. It throws the same errors. */
export const NO_LOG = { warn() {}, error() {}, deprecate() {}, debug() {} }

/** Printed when a server starts. */
export interface DatabaseDescription {
  /** For example `PostgreSQL 15.18 (quoin on db.example.com)`. */
  readonly name: string
  readonly warning: string | null
}

/** Connections to one database. */
export interface Connections {
  /** For migrations, and single statements that write. */
  readonly writer: Knex
  readonly transact: Transact
  /** Never waits for a write. */
  readonly reader: Knex
  readonly late: LateReads
  /**
   * Reads and commits.
   *
   * @throws {Error} when the database does not work, or known damage of its file.
   */
  check(timeoutMs: number): Promise<void>
  /** Looks for damage of the file where the database is one. @returns the tables that were left out. */
  checkFile(): Promise<readonly string[]>
  close(): Promise<void>
}
