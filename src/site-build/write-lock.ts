import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ServiceError } from '../domain/errors.ts'
import { fallbackOnSync, hasCode } from '../platform/fs-errors.ts'
import { STATE_FOLDER } from './incremental/file-fingerprints.ts'

/**
 * A folder with one file, which names the holder of the lock. Each holder's file has a unique name, so removing the
 * lock of an ended process can never remove the next lock.
 */
const LOCK = `${STATE_FOLDER}/writer`

/** The process that holds the lock. Process ids are reused, so its start time is part of it. */
interface Writer {
  readonly pid: number
  /** Start time in the system's ticks; null if the system does not report it. */
  readonly began: string | null
}

/**
 * Runs `work` while no other build on this machine writes into the output folder.
 *
 * @throws {ServiceError} `conflict` when another one is at it; nothing was done then.
 */
export async function withBuildLock<Value>(out: string, work: () => Promise<Value>): Promise<Value> {
  assertUnlocked(out)
  const lock = join(out, LOCK)
  for (const name of entriesOf(lock)) if (!isHeld(lock, name)) rmSync(join(lock, name), { force: true })
  const name = acquire(lock)
  if (name === null) throw othersAtWork(out)
  try {
    return await work()
  } finally {
    rmSync(join(lock, name), { force: true })
    removeIfEmpty(lock)
  }
}

/** @throws {ServiceError} `conflict` when a build is writing into the folder. */
export function assertUnlocked(out: string): void {
  const lock = join(out, LOCK)
  if (entriesOf(lock).some((name) => isHeld(lock, name))) throw othersAtWork(out)
}

function othersAtWork(out: string): ServiceError {
  return new ServiceError(
    'conflict',
    `Another build is writing into ${out}. Build again when it has ended; if there is none, remove ${join(out, LOCK)}.`,
  )
}

/** Puts a complete lock in place in one step. @returns the name of its file; null if another process has the lock. */
function acquire(lock: string): string | null {
  const name = randomUUID()
  const prepared = `${lock}.${name}`
  const writer: Writer = { pid: process.pid, began: beganAt(process.pid) }
  mkdirSync(prepared)
  try {
    writeFileSync(join(prepared, name), JSON.stringify(writer))
    removeIfEmpty(lock)
    renameSync(prepared, lock)
    return name
  } catch (error) {
    rmSync(prepared, { recursive: true, force: true })
    if (hasCode(error, TAKEN)) return null
    throw error
  }
}

/** Error codes for renaming a folder to the name of one that is not empty. */
const TAKEN = ['ENOTEMPTY', 'EEXIST', 'EPERM']

function removeIfEmpty(lock: string): void {
  fallbackOnSync(['ENOENT', ...TAKEN], () => rmdirSync(lock), undefined)
}

function entriesOf(lock: string): readonly string[] {
  // The output path may be a file; the write reports that.
  return fallbackOnSync(['ENOENT', 'ENOTDIR'], () => readdirSync(lock), [])
}

/** Reports whether a running process holds the lock by this file. The file is incomplete only after a power failure. */
function isHeld(lock: string, name: string): boolean {
  try {
    const writer = JSON.parse(readFileSync(join(lock, name), 'utf8')) as Writer | null
    return writer !== null && isRunning(writer)
  } catch (error) {
    if (error instanceof SyntaxError || hasCode(error, ['ENOENT'])) return false
    throw error
  }
}

function isRunning({ pid, began }: Writer): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // Signals to processes of other users are rejected; such a process exists.
    if (hasCode(error, ['ESRCH'])) return false
  }
  return began === beganAt(pid)
}

/** Returns null if the system has no `/proc`. Source: proc(5), `starttime`. */
function beganAt(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The second field is the program's name in brackets and may hold anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}
