import { createHash } from 'node:crypto'
import { closeSync, existsSync, lstatSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isSystemError } from '../../platform/fs-errors.ts'
import {
  entriesIn,
  isSameStamp,
  isSure,
  KEPT_FOLDER,
  type Stamps,
  stampOf,
  stampsIn,
  stampsText,
  UNSURE,
} from './file-fingerprints.ts'
import { areFoldersSame, type BuiltFolders, foldersNow, type WrittenFiles } from './output-tree.ts'

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
  readonly files: SeenFiles
}

/** Files of the content folder, always in the same order. */
export interface SeenFiles {
  readonly paths: readonly string[]
  /** In that order; another one wherever the file may be another. */
  readonly stamps: Stamps
}

/** What is known before a build begins. */
export interface Sight {
  readonly look: Look | null
  /** What the last build kept. */
  readonly last: LastLook | null
  /** Whether the folder that is built into holds what that left there, and nothing else. */
  isOutAsLeft(): boolean
}

/** What a build told and noted when it had ended. Plain JSON. */
interface Ended {
  readonly told: unknown
  /** For the next build, which is told as well what was edited; null where it cannot be understood. */
  readonly noted: unknown
}

/** What the last build saw, and what it told and noted. */
export interface LastLook extends Ended {
  readonly request: string
  readonly files: SeenFiles
  /** Null where they cannot be understood. */
  readonly folders: BuiltFolders | null
}

type Kept<Seen> = Omit<Seen, 'stamps'> & { readonly stamps: string }

/** What is kept of it first, and is understood by whoever reads it. */
type Head = Pick<LastLook, 'request' | 'told'>

/** More than a content folder and its themes may hold. */
const MOST_FILES = 100_000

const FILE = 'looked.jsonl'

/** @param now in milliseconds since 1970. */
export function sightOf(inputs: Inputs, now: number): Sight {
  const look = lookAt(inputs, now)
  const last = look && lastLook(inputs.out)
  return { look, last, isOutAsLeft: () => isOutAsLeft(inputs.out, last) }
}

/** Whether the folder holds what the last build left there, and nothing else. */
function isOutAsLeft(out: string, last: LastLook | null): boolean {
  const isAsLeft = orNull(() => {
    const folders = last?.folders ?? null
    return folders !== null && areFoldersSame(out, folders)
  })
  return isAsLeft ?? false
}

/** Null where there is too much to look at, or something that may not be read. */
export function lookAt(inputs: Inputs, now: number): Look | null {
  return orNull(() => look(inputs, now))
}

function look({ content, themes, request, out }: Inputs, now: number): Look | null {
  const paths: string[] = []
  const stamps: number[] = []
  const root = resolve(content)
  for (const path of filesBeneath(root, '', out)) {
    if (paths.push(path) > MOST_FILES) return null
    stamps.push(...stampOfFile(`${root}/${path}`, now))
  }
  const asked = createHash('sha256').update(JSON.stringify(request))
  let isKnown = true
  for (const folder of themes) {
    for (const path of filesBeneath(resolve(folder), '', out)) {
      const stamp = stampOfFile(join(folder, path), now)
      isKnown &&= isSure(stamp, 0)
      asked.update(`${folder} ${path}\0${stamp}\n`)
    }
  }
  return { request: isKnown ? asked.digest('hex') : null, files: { paths, stamps } }
}

/** Unsure also of a file that was removed after it was listed, and of what is no file. */
function stampOfFile(path: string, now: number): readonly number[] {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats?.isFile() ? stampOf(stats, now) : UNSURE
}

/** Null where no build has come to its end, or what it kept cannot be read. */
export function lastLook(out: string): LastLook | null {
  const file = fileOf(out)
  return orNull(() => (existsSync(file) ? lookIn(readFileSync(file, 'utf8')) : null))
}

function fileOf(out: string): string {
  return join(out, KEPT_FOLDER, FILE)
}

/**
 * Null for what another version of Quoin kept, or somebody else, and for what was written half. JSON in lines, of
 * which each is understood by those who ask for it.
 */
function lookIn(kept: string): LastLook | null {
  const [head = '', seen = '', folders = '', noted = '', end, ...more] = kept.split('\n')
  if (end !== '' || more.length > 0) return null
  const { request, told } = (JSON.parse(head) ?? {}) as Partial<Head>
  const files = JSON.parse(seen) as Kept<SeenFiles> | null
  if (typeof request !== 'string' || told === undefined || !isColumns(files)) return null
  return {
    request,
    told,
    files: withStamps(files),
    get folders() {
      return orNull(() => foldersIn(JSON.parse(folders) as Kept<BuiltFolders> | null))
    },
    get noted() {
      return orNull(() => JSON.parse(noted) as unknown)
    },
  }
}

function foldersIn(folders: Kept<BuiltFolders> | null): BuiltFolders | null {
  return isColumns(folders) && Array.isArray(folders.names) ? withStamps(folders) : null
}

function isColumns<Seen extends Kept<SeenFiles>>(seen: Seen | null): seen is Seen {
  return Array.isArray(seen?.paths) && typeof seen?.stamps === 'string'
}

function withStamps<Seen>(kept: Kept<Seen>): Omit<Seen, 'stamps'> & { readonly stamps: Stamps } {
  return { ...kept, stamps: stampsIn(kept.stamps) }
}

/**
 * Files of the content folder that may be others than when the last build looked.
 *
 * @returns null where more may have changed: what was asked for, a theme, which files there are, or the
 *   names in the folder that was built into.
 */
export function editedSince(
  look: Look,
  last: LastLook,
  isOutAsLeft: Sight['isOutAsLeft'],
): readonly string[] | null {
  if (look.request === null || look.request !== last.request) return null
  const [files, before] = [look.files, last.files]
  if (files.paths.length !== before.paths.length) return null
  const edited: string[] = []
  for (const [place, path] of files.paths.entries()) {
    if (path !== before.paths[place]) return null
    if (!isSameStamp(files.stamps, place, before.stamps, place)) edited.push(path)
  }
  return isOutAsLeft() ? edited : null
}

/** Called before anything is built: until that has come to its end, nothing is as it was. */
export function forgetLook(out: string): void {
  orNull(() => rmSync(fileOf(out), { force: true }))
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
    const head: Head = { request, told: left.told }
    const lines = [
      () => head,
      () => ({ ...files, stamps: stampsText(files.stamps) }),
      () => ({ ...folders, stamps: stampsText(folders.stamps) }),
      () => left.noted(foreign),
    ]
    const file = openSync(fileOf(out), 'w')
    try {
      // One after the other, so that they are not all in memory at once.
      for (const line of lines) writeFileSync(file, `${JSON.stringify(line())}\n`)
    } finally {
      closeSync(file)
    }
  })
}

/** Null also for what was written half, by a build on a disk that was full. */
function orNull<Value>(work: () => Value): Value | null {
  try {
    return work()
  } catch (error) {
    if (error instanceof SyntaxError || isSystemError(error)) return null
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
