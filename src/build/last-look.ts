import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/*
 * Whether anything changed since the last build, told by names, sizes and times of files alone, without
 * reading one of them. Asks the file system in this thread: nothing else goes on before a build. What the
 * system refuses here only means that nothing is known: the build itself meets it and says so.
 */

/** Everything a build depends on. */
export interface Inputs {
  /** Folders of content and of themes. */
  readonly folders: readonly string[]
  /** Whatever else was asked for, as JSON. */
  readonly request: unknown
  /** The folder that is built into, which is no input. */
  readonly out: string
}

export interface Look {
  /** The same only where nothing changed. */
  readonly digest: string
  /** False where a file could be written again without its time telling. */
  readonly isSure: boolean
}

interface Kept {
  readonly inputs: string
  /** Of the names of all files that lay there. */
  readonly written: string
  readonly told: unknown
}

/** Clocks of file systems tick in steps; some have only every second one. */
const TICK_MS = 2_000
/** More than a content folder and its themes may hold. */
const MOST_FILES = 100_000

/** A file that was removed after it was listed; never sure. */
const GONE = { size: 0, mtimeMs: Number.POSITIVE_INFINITY, ctimeMs: 0, ino: 0 }

const FOLDER = '.quoin'
const FILE = 'looked.json'

/** Null where there is too much to look at, or something that may not be read. */
export function lookAt(inputs: Inputs, now: number): Look | null {
  return orNull(() => look(inputs, now))
}

function look({ folders, request, out }: Inputs, now: number): Look | null {
  const hash = createHash('sha256').update(JSON.stringify(request))
  let newest = 0
  let count = 0
  for (const folder of folders) {
    for (const path of filesBeneath(resolve(folder), out)) {
      const { size, mtimeMs, ctimeMs, ino } = lstatSync(path, { throwIfNoEntry: false }) ?? GONE
      hash.update(`${path}\0${size} ${mtimeMs} ${ctimeMs} ${ino}\n`)
      newest = Math.max(newest, mtimeMs, ctimeMs)
      if (++count > MOST_FILES) return null
    }
  }
  return { digest: hash.digest('hex'), isSure: newest < now - TICK_MS }
}

/** What `keepLook` was told when the last build had ended, if all is as it was then; else null. */
export function toldAt({ digest }: Look, out: string): unknown {
  const file = join(out, FOLDER, FILE)
  return orNull(() => {
    if (!existsSync(file)) return null
    const kept: Kept = JSON.parse(readFileSync(file, 'utf8'))
    return kept.inputs === digest && kept.written === namesIn(out) ? kept.told : null
  })
}

/** Called before anything is built: until that has come to its end, nothing is as it was. */
export function forgetLook(out: string): void {
  orNull(() => rmSync(join(out, FOLDER, FILE), { force: true }))
}

/** Called when all is written. */
export function keepLook({ digest, isSure }: Look, out: string, told: unknown): void {
  if (!isSure) return
  orNull(() => {
    const kept: Kept = { inputs: digest, written: namesIn(out), told }
    writeFileSync(join(out, FOLDER, FILE), JSON.stringify(kept))
  })
}

/** Null also for what was written half, by a build on a disk that was full. */
function orNull<Value>(work: () => Value): Value | null {
  try {
    return work()
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && 'syscall' in error)) return null
    throw error
  }
}

function namesIn(out: string): string {
  const hash = createHash('sha256')
  for (const path of filesBeneath(out, null)) hash.update(`${path}\n`)
  return hash.digest('hex')
}

/** Paths of all files, in the order of their names; those of names that start with a dot are nobody's. */
function* filesBeneath(folder: string, except: string | null): Generator<string> {
  if (folder === except || !existsSync(folder)) return
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.'))
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesBeneath(path, except)
    else yield path
  }
}
