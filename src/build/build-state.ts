import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Owner } from '../domain/artifact.ts'
import { ServiceError } from '../domain/errors.ts'
import type { Warning } from '../domain/live-page.ts'
import type { SiteLines } from '../domain/site-lines.ts'
import type { GoneLive, ListingSlot, LiveSite } from '../publish/ledger.ts'
import type { WrittenLink } from '../render/rendering.ts'

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
}

/** @throws {ServiceError} `validation_error` when what a build keeps there cannot be read. */
export async function readState(out: string): Promise<KeptState> {
  const state = (await readJson(join(out, STATE), isState)) ?? NOTHING_BUILT
  return { state, doubtful: (await readJson(join(out, WRITING), isKeys)) ?? [] }
}

/** Called before the first of these is touched, so that a build that is broken off is completed by the next. */
export async function noteWriting(out: string, keys: readonly string[]): Promise<void> {
  await mkdir(join(out, FOLDER), { recursive: true })
  await replaceJson(join(out, WRITING), keys)
}

/** Called when all is written. */
export async function keepState(out: string, state: BuildState): Promise<void> {
  await replaceJson(join(out, STATE), state)
  await rm(join(out, WRITING), { force: true })
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
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new ServiceError(
    'validation_error',
    `${file} cannot be read: no build of this version wrote it. Remove what was built, and build again.`,
  )
}

function isState(json: unknown): json is BuildState {
  if (!isObject(json)) return false
  const { engine, pages, slots, files } = json
  return typeof engine === 'string' && isObject(pages) && Array.isArray(slots) && isObject(files)
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
