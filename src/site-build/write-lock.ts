import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ServiceError } from '../domain/errors.ts'
import { STATE_FOLDER } from './incremental/file-fingerprints.ts'

const FILE = `${STATE_FOLDER}/writer.json`

/** Who is writing: another process may have had the same number. */
interface Writer {
  readonly pid: number
  /** When it began, as the system counts; null where that does not say. */
  readonly began: string | null
}

/** In milliseconds. So long a file may be there before it says whose it is. */
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

/** Whether it is this process's now. */
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

/** What a process left that has ended. Of many that find it one takes it away. */
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

/** Null where nothing is, in milliseconds since 1970 else. */
function changedAt(file: string): number | null {
  try {
    return statSync(file).mtimeMs
  } catch (error) {
    // What is to be built into may be no folder: whoever writes there says so.
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null
    throw error
  }
}

/** Null for what was written half, and where nothing is. */
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
    // Others' processes may not be asked.
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
