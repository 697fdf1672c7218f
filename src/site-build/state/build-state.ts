import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Owner } from '../../domain/artifact.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { PageId } from '../../domain/ids.ts'
import { isJsonObject } from '../../domain/json.ts'
import { completeSettings } from '../../domain/settings.ts'
import type { FeedEntry } from '../../domain/site-lines.ts'
import { mkdirp } from '../../platform/mkdirp.ts'
import type { ListingSlot, LiveSite } from '../../publish/ledger/live-state.ts'
import { sha256 } from '../../publish/pipeline/plan.ts'
import { NO_LAYOUT, type ShardLayout } from '../../render/search/search-index.ts'
import { openBytes, sealBytes } from '../../secrets/seal.ts'
import { STATE_FOLDER } from '../incremental/file-fingerprints.ts'
import type { BuiltPage } from './built-page.ts'
import {
  isManifest,
  type ManifestTexts,
  type OutputManifest,
  outputManifest,
  parseManifest,
} from './output-manifest.ts'
import {
  type PageShardNames,
  pageShards,
  type ReadShard,
  readPages,
  type Shard,
  shardOf,
} from './state-shards.ts'

/** The state of a finished build that the next one needs. */
export interface BuildState {
  /** The version of Quoin that wrote it. Another version renders all pages again. */
  readonly engine: string
  /** The site as built; null before the first build. */
  readonly site: LiveSite | null
  readonly pages: ReadonlyMap<PageId, BuiltPage>
  /** Listing slots, in the order of the articles' dates. */
  readonly slots: readonly ListingSlot[]
  /** Feed entries of the newest articles. */
  readonly feed: ReadonlyMap<PageId, FeedEntry>
  /** Every written file by key. */
  readonly files: OutputManifest
  /** Division of the words of its search index into shards; empty without an index. */
  readonly search: ShardLayout
}

/** Owner of the files of `static/`. */
export const STATIC_OWNER: Owner = { kind: 'site', id: 'static' }

export const EMPTY_STATE: BuildState = {
  engine: '',
  site: null,
  pages: new Map(),
  slots: [],
  feed: new Map(),
  files: outputManifest([]),
  search: NO_LAYOUT,
}

const STATE = `${STATE_FOLDER}/build.json`
const WRITING = `${STATE_FOLDER}/writing.json`
const SHARDS = `${STATE_FOLDER}/shards`
/** The names of all files of a build in Data Mode, which has no shards, for when its state is lost. */
const KEYS = `${STATE_FOLDER}/keys.json`

export interface StoredState {
  readonly state: BuildState
  /** Keys that an aborted build may have written or removed. */
  readonly uncertain: readonly string[]
  /** Keys of a build whose state the content key does not open. */
  readonly unreadable: readonly string[]
  /** Digest of the stored state; null before the first build. */
  readonly digest: string | null
}

/** The state of an earlier build was cut off, as by a power cut, or another version of Quoin wrote it. */
export class UnreadableState extends ServiceError {
  readonly file: string

  constructor(file: string) {
    super(
      'validation_error',
      `${file} cannot be read: it was cut off, or another version of Quoin wrote it. Run quoin build again: it writes everything.`,
    )
    this.file = file
  }
}

/** The file that names all shards. It is replaced atomically; shards that it does not name are ignored. */
interface Head extends Pick<BuildState, 'engine' | 'site' | 'slots' | 'search'> {
  readonly layout: typeof LAYOUT
  /** Names of the shards of the output manifest. `feed` names the shard of the feed entries. */
  readonly files: ManifestTexts
  readonly feed: string
  readonly pages: readonly PageShardNames[]
}

/** The state of a build in Data Mode. It is sealed, because it contains as much as the pages. */
interface SealedState {
  /** A sealed `WholeState`, in base64. */
  readonly sealed: string
  readonly keys: readonly string[]
}

/** A head with the texts of its shards by name. */
interface WholeState {
  readonly head: Head
  readonly parts: Readonly<Record<string, string>>
}

/** Counted up with every change of the format, so that no version misreads the state of another. */
const LAYOUT = 5

/** Authenticated with the state, so that no other text sealed with the key is accepted. */
const CONTEXT = Buffer.from('build state')

/**
 * @param contentKey of a build in Data Mode; null for another, which opens no sealed state. A build in Data Mode
 *   ignores an unsealed state.
 * @throws {UnreadableState} also later, from what the state reads on demand.
 */
export async function readState(out: string, contentKey: Uint8Array | null): Promise<StoredState> {
  const kept = await readJson(join(out, STATE), isKept)
  const uncertain = (await readJson(join(out, WRITING), isKeys)) ?? []
  const digest = stateDigest(out)
  const readPart = (name: string) => {
    const file = join(out, SHARDS, name)
    const text = readText(file)
    // A truncated or modified shard does not match its name.
    if (text !== null && shardOf(text).name === name) return text
    throw stateDigest(out) === digest ? new UnreadableState(file) : concurrentBuild(out)
  }
  const known = (state: BuildState) => ({ state, uncertain, unreadable: [], digest })
  const unknown = (unreadable: readonly string[]) => ({ state: EMPTY_STATE, uncertain, unreadable, digest })
  if (kept === null) {
    if (uncertain.length === 0 && (await partsIn(out)).size > 0) throw new UnreadableState(join(out, STATE))
    return unknown([])
  }
  if (isSealed(kept)) {
    const whole = opened(kept, contentKey)
    return whole === null ? unknown(kept.keys) : known(stateOf(whole.head, (name) => whole.parts[name] ?? ''))
  }
  if (contentKey !== null) return unknown([...filesOf(kept, readPart).keys()])
  return known(stateOf(kept, readPart))
}

/**
 * Recovers an output folder whose state cannot be read: collects the files that its builds wrote from the manifests
 * among the shards. The name of a shard is the hash of its text, so only builds write shards.
 *
 * @param recorded further keys of files that a build is known to have written.
 */
export async function recoverState(out: string, recorded: readonly string[]): Promise<StoredState> {
  const lists = await Promise.all([keysIn(join(out, WRITING)), keysIn(join(out, KEYS))])
  const manifests: readonly string[][] = [...(await partsIn(out))].map((name) => {
    const text = readText(join(out, SHARDS, name)) ?? ''
    return shardOf(text).name === name && isManifest(text)
      ? [...parseManifest({ pages: text, others: '' }).keys()]
      : []
  })
  const unreadable = new Set([...recorded, ...lists.flat(), ...manifests.flat()])
  return { state: EMPTY_STATE, uncertain: [], unreadable: [...unreadable], digest: stateDigest(out) }
}

/** Keys in a file; none when it cannot be read. */
async function keysIn(file: string): Promise<readonly string[]> {
  try {
    return (await readJson(file, isKeys)) ?? []
  } catch (error) {
    if (error instanceof UnreadableState) return []
    throw error
  }
}

/** Digest of the stored state, which changes with each build; null before the first. */
export function stateDigest(out: string): string | null {
  const text = readText(join(out, STATE))
  return text === null ? null : sha256(text)
}

export function concurrentBuild(out: string): ServiceError {
  return new ServiceError('conflict', `Another build has written into ${out} meanwhile. Build again.`)
}

function stateOf({ layout, files, feed, pages, site, ...head }: Head, read: ReadShard): BuildState {
  const built = new Map<PageId, BuiltPage>()
  for (const names of pages) for (const page of readPages(names, read)) built.set(page.facts.id, page)
  return {
    ...head,
    site: site && { ...site, settings: completeSettings(site.settings) },
    pages: built,
    feed: new Map(JSON.parse(read(feed))),
    files: filesOf({ files }, read),
  }
}

function filesOf({ files }: Pick<Head, 'files'>, read: ReadShard): OutputManifest {
  return parseManifest({ pages: read(files.pages), others: read(files.others) })
}

/** Decrypts a state; null if it was sealed with another key or written by another version. */
function opened({ sealed }: SealedState, contentKey: Uint8Array | null): WholeState | null {
  if (contentKey === null) return null
  try {
    const whole: WholeState = JSON.parse(
      Buffer.from(openBytes(Buffer.from(sealed, 'base64'), contentKey, CONTEXT)).toString(),
    )
    return isKept(whole.head) ? whole : null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Records the keys before the first of them is written, so that the next build completes an aborted one. */
export async function recordPendingWrites(out: string, keys: readonly string[]): Promise<void> {
  await replaceJson(join(out, WRITING), keys)
}

/**
 * Stores the state. Call only after all output is on disk.
 *
 * @param options.isLost writes every shard: those of the previous state may be cut off.
 */
export async function writeState(
  out: string,
  state: BuildState,
  contentKey: Uint8Array | null,
  { isLost = false }: { readonly isLost?: boolean } = {},
): Promise<void> {
  const before = await partsIn(out)
  await mkdirp(join(out, STATE_FOLDER))
  if (contentKey === null) {
    await keepOpen(out, state, before, isLost)
    await rm(join(out, KEYS), { force: true })
  } else {
    await replaceJson(join(out, KEYS), [...state.files.keys()])
    await replaceJson(join(out, STATE), sealedState(state, contentKey))
    for (const name of before) await rm(join(out, SHARDS, name), { force: true })
  }
  await rm(join(out, WRITING), { force: true })
}

async function keepOpen(
  out: string,
  state: BuildState,
  before: ReadonlySet<string>,
  isLost: boolean,
): Promise<void> {
  await mkdirp(join(out, SHARDS))
  const named = new Set<string>()
  const head = headOf(state, ({ name, text }) => {
    named.add(name)
    if (isLost || !before.has(name)) replaceText(join(out, SHARDS, name), text())
  })
  await replaceJson(join(out, STATE), head)
  for (const name of before) if (!named.has(name)) await rm(join(out, SHARDS, name), { force: true })
}

/** Includes shards of aborted builds. */
async function partsIn(out: string): Promise<ReadonlySet<string>> {
  try {
    return new Set(await readdir(join(out, SHARDS)))
  } catch (error) {
    if (error instanceof Error && 'code' in error && isMissing(error.code)) return new Set()
    throw error
  }
}

/** @param keep called with each part once, before the next one is created. */
function headOf({ files, feed, pages, ...state }: BuildState, keep: (part: Shard) => void): Head {
  const names: PageShardNames[] = []
  for (const { records, details, extracts } of pageShards(pages)) {
    keep(records)
    keep(details)
    for (const { shard } of extracts) keep(shard)
    names.push({
      records: records.name,
      details: details.name,
      extracts: extracts.map(({ shard, count }) => [shard.name, count]),
    })
  }
  const texts = files.texts()
  const written = { pages: shardOf(texts.pages), others: shardOf(texts.others) }
  const fed = shardOf(JSON.stringify([...feed]))
  for (const part of [written.pages, written.others, fed]) keep(part)
  const filesNames = { pages: written.pages.name, others: written.others.name }
  return { layout: LAYOUT, ...state, files: filesNames, feed: fed.name, pages: names }
}

function sealedState(state: BuildState, contentKey: Uint8Array): SealedState {
  const parts: Record<string, string> = {}
  const head = headOf(state, ({ name, text }) => {
    parts[name] = text()
  })
  const whole: WholeState = { head, parts }
  const sealed = sealBytes(Buffer.from(JSON.stringify(whole)), contentKey, CONTEXT)
  return { sealed: Buffer.from(sealed).toString('base64'), keys: [...state.files.keys()] }
}

/** Reads a JSON file; null if there is no such file. */
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
  throw new UnreadableState(file)
}

/** Reads a file; null if there is no such file. */
function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && isMissing(error.code)) return null
    throw error
  }
}

/** A path below a file counts as missing too. */
function isMissing(code: unknown): boolean {
  return code === 'ENOENT' || code === 'ENOTDIR'
}

function isKept(json: unknown): json is Head | SealedState {
  if (!isJsonObject(json)) return false
  if (typeof json['sealed'] === 'string') return isKeys(json['keys'])
  const { layout, engine, pages, slots, files, feed, search } = json
  const { pages: ofPages, others } = isJsonObject(files) ? files : {}
  const hasNames = [engine, ofPages, others, feed].every((name) => typeof name === 'string')
  const isHead = layout === LAYOUT && hasNames && Array.isArray(slots) && isJsonObject(search)
  return isHead && Array.isArray(pages) && pages.every(isPartNames)
}

function isPartNames(json: unknown): json is PageShardNames {
  const { records, details, extracts } = isJsonObject(json) ? json : {}
  if (typeof records !== 'string' || typeof details !== 'string' || !Array.isArray(extracts)) return false
  return extracts.every((shard) => Array.isArray(shard) && typeof shard[0] === 'string' && shard[1] >= 0)
}

function isSealed(kept: Head | SealedState): kept is SealedState {
  return 'sealed' in kept
}

function isKeys(json: unknown): json is readonly string[] {
  return Array.isArray(json) && json.every((key) => typeof key === 'string')
}

async function replaceJson(file: string, value: unknown): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(value))
  await rename(`${file}.new`, file)
}

/** Synchronous: there are many shards, each of them small. */
function replaceText(file: string, text: string): void {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}
