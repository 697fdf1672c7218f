import { createHash } from 'node:crypto'
import { closeSync, existsSync, lstatSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { STATIC_FOLDER } from '../../content-folder/file-kind.ts'
import type { IgnoreRules } from '../../content-folder/ignored-files.ts'
import { isSystemError } from '../../platform/fs-errors.ts'
import {
  decodeFingerprints,
  type Entry,
  encodeFingerprints,
  entriesIn,
  type Fingerprints,
  fingerprintOf,
  isHidden,
  isKnown,
  isSameFingerprint,
  STATE_FOLDER,
  UNKNOWN,
} from './file-fingerprints.ts'
import { gitHead } from './git-head.ts'
import {
  damagedFiles,
  isTreeUnchanged,
  type OutputTree,
  sizedFiles,
  treeAfterBuild,
  type WrittenFiles,
} from './output-tree.ts'

/*
 * Change detection: compares fingerprints of all inputs with the fingerprints of the previous build, without reading
 * file contents. Synchronous, because nothing else runs before a build. An error of the file system here only means
 * that the changes are unknown: the build itself meets the same error and reports it.
 */

/** Everything a build depends on. */
export interface BuildInputs {
  readonly content: string
  /** Rules for files of the content folder that are not content. */
  readonly ignored: IgnoreRules
  /** Theme folders. */
  readonly themes: readonly string[]
  /** All other options, as a JSON value. */
  readonly request: unknown
  /** The output folder, which is not an input. */
  readonly out: string
}

export interface InputFingerprints {
  /**
   * SHA-256 over the build options, the commit of the content folder and every theme file's fingerprint. Null when a
   * theme file changed within the last 2 s: its mtime cannot prove that it is unchanged.
   */
  readonly request: string | null
  readonly files: ContentFiles
}

/** Files of the content folder in a fixed order, as parallel arrays. */
export interface ContentFiles {
  readonly paths: readonly string[]
  readonly fingerprints: Fingerprints
}

export interface ChangeDetection {
  /** Fingerprints of the inputs now; null if they cannot be determined. */
  readonly current: InputFingerprints | null
  readonly previous: PreviousBuild | null
  /** Reports whether the output folder has exactly the names of the previous build, and no file is damaged. */
  isOutputUnchanged(): boolean
  /** Keys of the files of the previous build. */
  recorded(): readonly string[]
  /**
   * Keys of files of the previous build that have another size, as after a power cut. Null for any: its record was cut
   * off, so nothing says which size they had.
   */
  damaged(): readonly string[] | null
}

/** The record of a finished build. */
export interface PreviousBuild {
  readonly request: string
  readonly files: ContentFiles
  /** The report to repeat for an unchanged site. Plain JSON. */
  readonly report: unknown
  /** Parses the output tree; null if it cannot be parsed. */
  readonly tree: () => OutputTree | null
  /** Parses the notes for the next build, plain JSON; null if they cannot be parsed. */
  readonly notes: () => unknown
}

type Encoded<Columns> = Omit<Columns, 'fingerprints'> & { readonly fingerprints: string }

/** The first line of the file. */
type Head = Pick<PreviousBuild, 'request' | 'report'>

/** Above this, listing takes longer than a build saves. */
const MAX_FILES = 100_000

const FILE = 'fingerprints.jsonl'

/** @param now in milliseconds since 1970. */
export function detectChanges(inputs: BuildInputs, now: number): ChangeDetection {
  const current = fingerprintInputs(inputs, now)
  const previous = current && readPreviousBuild(inputs.out)
  const damaged = once(() => {
    if (current !== null && previous === null && existsSync(fileOf(inputs.out))) return null
    const tree = previous?.tree() ?? null
    return tree === null ? [] : (nullOnError(() => damagedFiles(inputs.out, tree)) ?? [])
  })
  return {
    current,
    previous,
    isOutputUnchanged() {
      const tree = previous?.tree() ?? null
      const isSame = tree !== null && (nullOnError(() => isTreeUnchanged(inputs.out, tree)) ?? false)
      return isSame && damaged()?.length === 0
    },
    recorded() {
      const tree = previous?.tree() ?? null
      return tree === null ? [] : sizedFiles(tree)
    },
    damaged,
  }
}

/** Returns null if there are too many files, or one cannot be read. */
export function fingerprintInputs(inputs: BuildInputs, now: number): InputFingerprints | null {
  return nullOnError(() => collect(inputs, now))
}

function collect(
  { content, ignored, themes, request, out }: BuildInputs,
  now: number,
): InputFingerprints | null {
  const paths: string[] = []
  const fingerprints: number[] = []
  const root = resolve(content)
  for (const path of filesIn(root, '', { out, isLeftOut: isNoContent(ignored) })) {
    if (paths.push(path) > MAX_FILES) return null
    fingerprints.push(...fileFingerprint(`${root}/${path}`, now))
  }
  const digest = createHash('sha256').update(JSON.stringify([request, gitHead(root)]))
  let isComplete = true
  for (const folder of themes) {
    for (const path of filesIn(resolve(folder), '', { out, isLeftOut: isHiddenPath })) {
      const fingerprint = fileFingerprint(join(folder, path), now)
      isComplete &&= isKnown(fingerprint, 0)
      digest.update(`${folder} ${path}\0${fingerprint}\n`)
    }
  }
  return { request: isComplete ? digest.digest('hex') : null, files: { paths, fingerprints } }
}

/** Unknown also for a file that was removed after it was listed, and for anything but a regular file. */
function fileFingerprint(path: string, now: number): readonly number[] {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats?.isFile() ? fingerprintOf(stats, now) : UNKNOWN
}

/** Returns null if no build has finished, or its record cannot be read. */
export function readPreviousBuild(out: string): PreviousBuild | null {
  const file = fileOf(out)
  return nullOnError(() => (existsSync(file) ? parse(readFileSync(file, 'utf8')) : null))
}

function fileOf(out: string): string {
  return join(out, STATE_FOLDER, FILE)
}

/**
 * Parses the record; null if it is truncated or of another version. Lines are JSON, parsed only when they are needed.
 */
function parse(text: string): PreviousBuild | null {
  const [head = '', content = '', tree = '', notes = '', end, ...more] = text.split('\n')
  if (end !== '' || more.length > 0) return null
  const { request, report } = (JSON.parse(head) ?? {}) as Partial<Head>
  const files = JSON.parse(content) as Encoded<ContentFiles> | null
  if (typeof request !== 'string' || report === undefined || !isEncoded(files)) return null
  return {
    request,
    report,
    files: decoded(files),
    tree: () => nullOnError(() => parseTree(JSON.parse(tree) as Encoded<OutputTree> | null)),
    notes: () => nullOnError(() => JSON.parse(notes) as unknown),
  }
}

function parseTree(tree: Encoded<OutputTree> | null): OutputTree | null {
  return isEncoded(tree) && Array.isArray(tree.names) && Array.isArray(tree.sizes) ? decoded(tree) : null
}

function isEncoded<Columns extends Encoded<ContentFiles>>(columns: Columns | null): columns is Columns {
  return Array.isArray(columns?.paths) && typeof columns?.fingerprints === 'string'
}

function decoded<Columns>(columns: Encoded<Columns>) {
  return { ...columns, fingerprints: decodeFingerprints(columns.fingerprints) }
}

function encoded<Columns extends ContentFiles>(columns: Columns): Encoded<Columns> {
  return { ...columns, fingerprints: encodeFingerprints(columns.fingerprints) }
}

/**
 * Files of the content folder that may have changed since the previous build.
 *
 * @returns null if more may have changed: options, a theme, which files exist, or the names in the output folder.
 */
export function editedFiles(
  current: InputFingerprints,
  previous: PreviousBuild,
  isOutputUnchanged: ChangeDetection['isOutputUnchanged'],
): readonly string[] | null {
  if (current.request === null || current.request !== previous.request) return null
  const [now, before] = [current.files, previous.files]
  if (now.paths.length !== before.paths.length) return null
  const edited: string[] = []
  for (const [index, path] of now.paths.entries()) {
    if (path !== before.paths[index]) return null
    if (!isSameFingerprint(now.fingerprints, index, before.fingerprints, index)) edited.push(path)
  }
  return isOutputUnchanged() ? edited : null
}

/** Call before the build changes anything: until it finishes, the record does not match the output folder. */
export function forgetPreviousBuild(out: string): void {
  nullOnError(() => rmSync(fileOf(out), { force: true }))
}

/** The parts of a finished build that the next one needs. */
export interface FinishedBuild {
  readonly written: WrittenFiles
  readonly report: unknown
  /** @param foreign keys of files in the output folder that no build wrote. */
  readonly notes: (foreign: readonly string[]) => unknown
}

/**
 * Saves the fingerprints for the next build. Call only after all output is on disk.
 *
 * @param previous the build that this one was based on, if it was incremental.
 */
export function recordBuild(
  { request, files }: InputFingerprints,
  previous: PreviousBuild | null,
  out: string,
  { written, report, notes }: FinishedBuild,
): void {
  if (request === null) return
  nullOnError(() => {
    const result = treeAfterBuild(out, previous?.tree() ?? null, written)
    if (result === null) return
    const { tree, foreign } = result
    const head: Head = { request, report }
    const lines = [() => head, () => encoded(files), () => encoded(tree), () => notes(foreign)]
    const file = openSync(fileOf(out), 'w')
    try {
      // One line at a time, so that not all are in memory at once.
      for (const line of lines) writeFileSync(file, `${JSON.stringify(line())}\n`)
    } finally {
      closeSync(file)
    }
  })
}

function once<Value>(work: () => Value): () => Value {
  let known: { readonly value: Value } | null = null
  return () => {
    known ??= { value: work() }
    return known.value
  }
}

/** Returns null after an error of the file system, and for truncated JSON, for example on a full disk. */
function nullOnError<Value>(work: () => Value): Value | null {
  try {
    return work()
  } catch (error) {
    if (error instanceof SyntaxError || isSystemError(error)) return null
    throw error
  }
}

interface Listing {
  readonly out: string
  readonly isLeftOut: (path: string, entry: Entry) => boolean
}

/** Paths of the files that content and themes are read from. Output folders of builds are skipped. */
function* filesIn(root: string, within: string, { out, isLeftOut }: Listing): Generator<string> {
  const folder = join(root, within)
  if (folder === out || !existsSync(folder)) return
  const { entries, isOutputFolder } = entriesIn(folder)
  if (within !== '' && isOutputFolder) return
  for (const entry of entries) {
    const path = within === '' ? entry.name : `${within}/${entry.name}`
    if (isLeftOut(path, entry)) continue
    if (entry.kind === 'folder') yield* filesIn(root, path, { out, isLeftOut })
    else yield path
  }
}

function isHiddenPath(_: string, entry: Entry): boolean {
  return isHidden(entry)
}

/**
 * Themes of the site are in its folder but are not content, so that its patterns do not leave out their files. Excluded
 * files of `static/` are reported, so new ones count as changes.
 */
function isNoContent(rules: IgnoreRules): Listing['isLeftOut'] {
  return (path, entry) => {
    if (`${path}/`.startsWith('themes/')) return isHidden(entry)
    if (path.startsWith(STATIC_FOLDER) && entry.kind !== 'folder') return false
    return rules.ignores(path, entry.kind === 'folder' ? 'folder' : 'file')
  }
}
