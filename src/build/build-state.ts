import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Owner } from '../domain/artifact.ts'
import { ServiceError } from '../domain/errors.ts'
import type { Warning } from '../domain/live-page.ts'
import type { SiteLines } from '../domain/site-lines.ts'
import { makeFolder } from '../make-folder.ts'
import type { GoneLive, ListingSlot, LiveSite } from '../publish/ledger.ts'
import type { WrittenLink } from '../render/rendering.ts'
import { openBytes, sealedBytes } from '../secrets/seal.ts'

/** What a build left in the folder it wrote, as far as the next one has to know. Plain JSON. */
export interface BuildState {
  /** What wrote it; another version of Quoin builds all pages anew. */
  readonly engine: string
  /** Null before the first build. */
  readonly site: LiveSite | null
  /** By page id. */
  readonly pages: Readonly<Record<string, BuiltPage>>
  /** Places in listings, also of pages that went: an article has its own for good. */
  readonly slots: readonly ListingSlot[]
  /** Everything written, by its key. */
  readonly files: Readonly<Record<string, BuiltFile>>
}

export interface BuiltPage extends Omit<GoneLive, 'pageId' | 'releaseId' | 'lines' | 'objects'>, SiteLines {
  /** Keys of the assets it names. */
  readonly assets: readonly string[]
  /** The file it was written in, relative to the content folder. */
  readonly source: string
  /** When its files last changed, and when it was first built. ISO 8601 UTC. */
  readonly publishedAt: string
  readonly firstPublishedAt: string
  /** When its content last changed. */
  readonly updatedAt: string
  /** What rendering it had to say, dead links left aside: those depend on other pages. */
  readonly warnings: readonly Warning[]
  /** Links in its content. */
  readonly links: readonly WrittenLink[]
}

export interface BuiltFile {
  /** Null for a file of `static/`. */
  readonly owner: Owner | null
  /** SHA-256, hex. */
  readonly digest: string
}

/** What nobody made lies beside what pages and indexes are made of. */
export const OF_STATIC: Owner = { kind: 'site', id: 'static' }

const NOTHING_BUILT: BuildState = { engine: '', site: null, pages: {}, slots: [], files: {} }

/** Beneath the folder that is built into; nothing a site is made of starts with a dot. */
const FOLDER = '.quoin'
const STATE = `${FOLDER}/build.json`
const WRITING = `${FOLDER}/writing.json`

export interface KeptState {
  readonly state: BuildState
  /** Keys that a build which did not come to its end may have written or removed. */
  readonly doubtful: readonly string[]
  /** Keys of a build whose state this key does not open; nothing else is known of it. */
  readonly unread: readonly string[]
}

/** The state of a build in Data Mode, which tells of its pages as much as they do themselves. */
interface SealedState {
  /** Base64. */
  readonly sealed: string
  readonly keys: readonly string[]
}

/** So that nothing else which the key sealed is taken for it. */
const CONTEXT = Buffer.from('build state')

/**
 * @param contentKey of a build in Data Mode; null for another, which opens no sealed state. A state
 *   that is not sealed is of no use to a build in Data Mode.
 * @throws {ServiceError} `validation_error` when what a build keeps there cannot be read.
 */
export async function readState(out: string, contentKey: Uint8Array | null): Promise<KeptState> {
  const kept = await readJson(join(out, STATE), isKept)
  const doubtful = (await readJson(join(out, WRITING), isKeys)) ?? []
  if (kept === null) return { state: NOTHING_BUILT, doubtful, unread: [] }
  const state = openState(kept, contentKey)
  if (state !== null) return { state, doubtful, unread: [] }
  return { state: NOTHING_BUILT, doubtful, unread: isSealed(kept) ? kept.keys : Object.keys(kept.files) }
}

/** Null when it was kept under another key. */
function openState(kept: BuildState | SealedState, contentKey: Uint8Array | null): BuildState | null {
  if (!isSealed(kept)) return contentKey === null ? kept : null
  if (contentKey === null) return null
  try {
    return JSON.parse(
      Buffer.from(openBytes(Buffer.from(kept.sealed, 'base64'), contentKey, CONTEXT)).toString(),
    )
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Called before the first of these is touched, so that a build that is broken off is completed by the next. */
export async function noteWriting(out: string, keys: readonly string[]): Promise<void> {
  await makeFolder(join(out, FOLDER))
  await replaceJson(join(out, WRITING), keys)
}

/** Called when all is written. */
export async function keepState(
  out: string,
  state: BuildState,
  contentKey: Uint8Array | null,
): Promise<void> {
  await replaceJson(join(out, STATE), contentKey === null ? state : sealedState(state, contentKey))
  await rm(join(out, WRITING), { force: true })
}

function sealedState(state: BuildState, contentKey: Uint8Array): SealedState {
  const sealed = sealedBytes(Buffer.from(JSON.stringify(state)), contentKey, CONTEXT)
  return { sealed: Buffer.from(sealed).toString('base64'), keys: Object.keys(state.files) }
}

/** Null when there is no such file. */
async function readJson<Value>(
  file: string,
  isValue: (json: unknown) => json is Value,
): Promise<Value | null> {
  try {
    const json: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (isValue(json)) return json
  } catch (error) {
    if (error instanceof Error && 'code' in error && isMissing(error.code)) return null
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new ServiceError(
    'validation_error',
    `${file} cannot be read: no build of this version wrote it. Remove what was built, and build again.`,
  )
}

/** A folder that is none holds nothing either. */
function isMissing(code: unknown): boolean {
  return code === 'ENOENT' || code === 'ENOTDIR'
}

function isKept(json: unknown): json is BuildState | SealedState {
  if (!isObject(json)) return false
  if (typeof json['sealed'] === 'string') return isKeys(json['keys'])
  const { engine, pages, slots, files } = json
  return typeof engine === 'string' && isObject(pages) && Array.isArray(slots) && isObject(files)
}

function isSealed(kept: BuildState | SealedState): kept is SealedState {
  return 'sealed' in kept
}

function isKeys(json: unknown): json is readonly string[] {
  return Array.isArray(json) && json.every((key) => typeof key === 'string')
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

async function replaceJson(file: string, value: unknown): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(value))
  await rename(`${file}.new`, file)
}
