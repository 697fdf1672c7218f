import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ServiceError } from '../domain/errors.ts'
import { STATE_FOLDER } from './incremental/file-fingerprints.ts'

const FILE = `${STATE_FOLDER}/writer.json`

/** The process that holds the lock. Process ids are reused, so its start time is part of it. */
interface Writer {
  readonly pid: number
  /** Start time in the system's ticks; null where the system does not tell. */
  readonly began: string | null
}

/** In milliseconds. A lock file may be empty for this long before it counts as abandoned. */
const EMPTY_FOR = 10_000

/**
 * Write into a folder that is built into while no other build on this machine does.
 *
 * @throws {ServiceError} `conflict` when another one is at it; nothing was done then.
 */
export async function withBuildLock<Value>(out: string, work: () => Promise<Value>): Promise<Value> {
  const file = join(out, FILE)
  if (!isTaken(file)) {
    assertUnlocked(out)
    removeLeft(file)
    if (!isTaken(file)) throw othersAtWork(out)
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

/** @throws {ServiceError} `conflict` when a build is writing into the folder. */
export function assertUnlocked(out: string): void {
  if (isAtWork(join(out, FILE))) throw othersAtWork(out)
}

function othersAtWork(out: string): ServiceError {
  return new ServiceError(
    'conflict',
    `Another build is writing into ${out}. Build again when it has ended; if there is none, remove ${join(out, FILE)}.`,
  )
}

/** Whether this process acquired the lock. */
function isTaken(file: string): boolean {
  try {
    const writer: Writer = { pid: process.pid, began: beganAt(process.pid) }
    writeFileSync(file, JSON.stringify(writer), { flag: 'wx' })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Removes the lock of a process that has ended. Of several processes that find it, one succeeds. */
function removeLeft(file: string): void {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    rmSync(aside)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

function isAtWork(file: string): boolean {
  const changed = changedAt(file)
  if (changed === null) return false
  const writer = readWriter(file)
  return writer === null ? Date.now() - changed < EMPTY_FOR : isRunning(writer)
}

/** In milliseconds since 1970; null if there is no file. */
function changedAt(file: string): number | null {
  try {
    return statSync(file).mtimeMs
  } catch (error) {
    // The output path may be a file; the write reports that.
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null
    throw error
  }
}

/** Null for an incomplete file and for none. */
function readWriter(file: string): Writer | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Writer | null
  } catch (error) {
    if (error instanceof SyntaxError || codeOf(error) === 'ENOENT') return null
    throw error
  }
}

function isRunning({ pid, began }: Writer): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // Signals to processes of other users are refused; such a process exists.
    if (codeOf(error) === 'ESRCH') return false
  }
  return began === beganAt(pid)
}

/** Null where the system has no `/proc`. Source: proc(5), `starttime`. */
function beganAt(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The second field is the program's name in brackets and may hold anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null
}
