import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { areFoldersSame, type BuiltFolder, foldersNow, type WrittenFiles } from './built-folders.ts'
import { entriesIn, type Stamp, stampOf } from './stamps.ts'

/*
 * What changed since the last build, told by names, sizes and times of files alone, without reading one of
 * them. Asks the file system in this thread: nothing else goes on before a build. What the system refuses
 * here only means that nothing is known: the build itself meets it and says so.
 */

/** Everything a build depends on. */
export interface Inputs {
  readonly content: string
  /** Folders of themes. */
  readonly themes: readonly string[]
  /** Whatever else was asked for, as JSON. */
  readonly request: unknown
  /** The folder that is built into, which is no input. */
  readonly out: string
}

export interface Look {
  /** Of what was asked for and of the themes; null where a theme could be written again without its time telling. */
  readonly request: string | null
  /** By their paths in the content folder; another one wherever the file may be another. */
  readonly files: ReadonlyMap<string, Stamp>
}

/** What the last build saw, and what it told and noted when it had ended. */
export interface LastLook {
  readonly request: string
  readonly files: readonly (readonly [path: string, stamp: Stamp])[]
  readonly folders: readonly BuiltFolder[]
  readonly told: unknown
  /** For the next build, which is told as well what was edited. */
  readonly noted: unknown
}

/** More than a content folder and its themes may hold. */
const MOST_FILES = 100_000

const FOLDER = '.quoin'
const FILE = 'looked.json'

/** Null where there is too much to look at, or something that may not be read. */
export function lookAt(inputs: Inputs, now: number): Look | null {
  return orNull(() => look(inputs, now))
}

function look({ content, themes, request, out }: Inputs, now: number): Look | null {
  const files = new Map<string, Stamp>()
  const root = resolve(content)
  for (const path of filesBeneath(root, '', out)) {
    files.set(path, stampAt(join(root, path), now))
    if (files.size > MOST_FILES) return null
  }
  const asked = createHash('sha256').update(JSON.stringify(request))
  let isSure = true
  for (const folder of themes) {
    for (const path of filesBeneath(resolve(folder), '', out)) {
      const stamp = stampAt(join(folder, path), now)
      isSure &&= stamp !== null
      asked.update(`${folder} ${path}\0${stamp}\n`)
    }
  }
  return { request: isSure ? asked.digest('hex') : null, files }
}

/** Null also for a file that was removed after it was listed, and for what is no file. */
function stampAt(path: string, now: number): Stamp {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats?.isFile() ? stampOf(stats, now) : null
}

/** Null where no build has come to its end, or what it kept cannot be read. */
export function lastLook(out: string): LastLook | null {
  const file = join(out, FOLDER, FILE)
  return orNull(() => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null))
}

/**
 * Files of the content folder that may be others than when the last build looked.
 *
 * @returns null where more may have changed: what was asked for, a theme, which files there are, or the
 *   names in the folder that was built into.
 */
export function editedSince(look: Look, last: LastLook, out: string): readonly string[] | null {
  if (look.request === null || look.request !== last.request || look.files.size !== last.files.length)
    return null
  const edited: string[] = []
  for (const [path, stamp] of last.files) {
    const now = look.files.get(path)
    if (now === undefined) return null
    if (now === null || now !== stamp) edited.push(path)
  }
  return orNull(() => (areFoldersSame(out, last.folders) ? edited : null))
}

/** Called before anything is built: until that has come to its end, nothing is as it was. */
export function forgetLook(out: string): void {
  orNull(() => rmSync(join(out, FOLDER, FILE), { force: true }))
}

/** What a build leaves for the next one. */
export interface Left {
  readonly written: WrittenFiles
  readonly told: unknown
  /** @param foreign keys of files that nobody built. */
  readonly noted: (foreign: readonly string[]) => unknown
}

/** Called when all is written. @param last what the build began with, if it had to know no more. */
export function keepLook({ request, files }: Look, last: LastLook | null, out: string, left: Left): void {
  if (request === null) return
  orNull(() => {
    const now = foldersNow(out, last?.folders ?? null, left.written)
    if (now === null) return
    const { folders, foreign } = now
    const kept: LastLook = {
      request,
      files: [...files],
      folders,
      told: left.told,
      noted: left.noted(foreign),
    }
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

/** Paths of all files, as content and themes are read: without other folders that something was built into. */
function* filesBeneath(root: string, within: string, out: string): Generator<string> {
  const folder = join(root, within)
  if (folder === out || !existsSync(folder)) return
  const { entries, isBuiltInto } = entriesIn(folder)
  if (within !== '' && isBuiltInto) return
  for (const { name, kind } of entries) {
    const path = within === '' ? name : `${within}/${name}`
    if (kind === 'folder') yield* filesBeneath(root, path, out)
    else yield path
  }
}
