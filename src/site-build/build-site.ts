import type { PageOutline } from '../content-folder/outline.ts'
import type { Site } from '../content-folder/site.ts'
import { sizeOf } from '../domain/artifact.ts'
import type { Diagnostic } from '../domain/diagnostic.ts'
import type { PageId, ProjectId } from '../domain/ids.ts'
import { createSealing } from '../publish/data-mode/seal.ts'
import type { Upload } from '../publish/ledger/upload.ts'
import type { Plan } from '../publish/pipeline/plan.ts'
import type { Renderer, TimingRenderer } from '../renderer/renderer.ts'
import { keyIdOf, wrapContentKey } from '../secrets/content-key.ts'
import type { MasterKey } from '../secrets/master-key.ts'
import type { FolderStorage } from '../storage/storage.ts'
import { currentWarnings } from './diagnostics.ts'
import type { WrittenFiles } from './incremental/output-tree.ts'
import { prepareEdited } from './incremental/prepare-edited.ts'
import { type PreparedSite, preparedOf, siteReleases } from './prepare-site.ts'
import { type ContentRequest, readContent, readEditedContent } from './read-content.ts'
import { type RecordedPage, recordingRenderer } from './recording-renderer.ts'
import { withSearchIndex } from './search/search-index.ts'
import type { SiteAddress } from './site-releases.ts'
import { type BuildState, stateDigest } from './state/build-state.ts'
import { nextState } from './state/next-state.ts'
import { type FolderNotes, type PreviousState, previousState } from './state/previous-state.ts'
import { planStatics, type StaticPlan, unchangedStatics } from './static-files.ts'
import { changesOf, type SiteChanges, writeSite } from './write-site.ts'

export interface BuildRequest extends ContentRequest {
  /** Instead of the address that the folder names; without a slash at its end. */
  readonly origin: string | null
  /** 32 bytes that seal the site, as Data Mode does; null builds it to be read. */
  readonly contentKey: Uint8Array | null
}

export interface BuildPorts {
  readonly renderer: TimingRenderer
  /** The folder `out`; writes need not be durable, since it can be built again. */
  readonly storage: FolderStorage
  readonly masterKey: MasterKey
  /** Version of Quoin; another one builds everything anew. */
  readonly engine: string
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
  /** Folder in which the renderer leaves the files of pages; null if it leaves them in memory. */
  readonly spillFolder: string | null
  /** Called after each page that is rendered. */
  readonly onRendered: (rendered: number) => void
}

/** What the last build left, and all that has changed since is what stands in some files. */
export interface Edits {
  /** Every file of the content folder, and those that may be others than they were. */
  readonly files: readonly string[]
  readonly edited: readonly string[]
  readonly notes: BuildNotes
  readonly warnings: readonly Diagnostic[]
}

/** What a build notes for the next one. Plain JSON. */
export interface BuildNotes extends FolderNotes {
  readonly outlines: readonly PageOutline[]
}

/** Faults are to be mended before anything is built. */
export type BuildResult =
  | { readonly errors: readonly Diagnostic[] }
  | { readonly report: BuildReport; readonly left: WrittenFiles & Omit<BuildNotes, 'foreign'> }

export interface BuildReport {
  readonly pages: { readonly total: number; readonly rendered: number; readonly removed: number }
  readonly files: {
    readonly total: number
    readonly written: number
    readonly removed: number
    /** Of what was written. */
    readonly bytes: number
  }
  /** The pages that took longest to render, slowest first. */
  readonly slowest: readonly { readonly file: string; readonly ms: number }[]
  readonly warnings: readonly Diagnostic[]
  /** False: canonical links, sitemap and feeds name an address that is none. */
  readonly hasAddress: boolean
}

/** A name that is reserved for never being anybody's. */
const NOWHERE = 'http://site.invalid'

const SLOWEST = 5

/** A folder has one content key, which whoever builds it keeps. */
const KEY_VERSION = 1

/**
 * A content folder as a finished site, by the way of every publish: what did not change since the last
 * build is left as it lies there. Broken off at any moment, each file is the old or the new one, and
 * the next build completes it. Only files that a build wrote are ever replaced or removed.
 *
 * @param since null looks at all of the folder, and writes the same.
 * @throws {ServiceError} `conflict` when somebody else's file is in the way; nothing is written then.
 */
export async function buildSite(
  request: BuildRequest,
  ports: BuildPorts,
  since: Edits | null = null,
): Promise<BuildResult> {
  const { renderer, recorded: seen, spilledCount } = recordingRenderer(ports)
  const now = ports.now()
  const made = await decide({ ...ports, renderer, now, request, seen }, since)
  if ('errors' in made) return made

  const { before, published, plan, projectId, statics, removed } = made
  const { contentKey, out } = request
  // What the last build kept is read a piece at a time, and what of it is not kept again is gone when all is written.
  const warnings = currentWarnings(request.folder, before.state, published, made.since)
  // Where no page came, changed or went, search finds what it found before; of what is sealed, nothing.
  const isSame = contentKey !== null || (before.isWhole && !made.isOther)
  const { after, uploads } = isSame
    ? { after: published, uploads: [] }
    : withSearchIndex(before.state, published, { out, now })
  const changes = changesOf(before, after, { plan: withUploads(plan, uploads), projectId }, statics)
  const encode = await encoder(projectId, contentKey, ports)
  await writeSite(
    out,
    { changes, before, after },
    { ...ports, contentKey, encode, spilledCount: spilledCount() },
  )
  const hasAddress = (request.origin ?? made.origin) !== null
  return {
    report: { ...reportOf({ after, changes, seen, removed }), warnings, hasAddress },
    left: {
      own: after.files,
      foreign: [...before.foreign],
      touched: made.since === null ? null : keysOf(changes),
      state: stateDigest(out),
      outlines: made.outlines,
    },
  }
}

/** The state of a site once what was decided is written, but for its search index. */
interface PublishedSite
  extends Omit<DecidedSite, 'prepared'>,
    Omit<PreparedSite, 'commit' | 'sources' | 'entries'> {
  readonly published: BuildState
  /** Whether any page came, changed or went. */
  readonly isOther: boolean
}

/** Nothing that pages were made of stays in memory for what is still to be done. */
async function decide(
  ports: DecidePorts & { readonly seen: ReadonlyMap<PageId, RecordedPage> },
  since: Edits | null,
): Promise<PublishedSite | { readonly errors: readonly Diagnostic[] }> {
  const { request, engine, seen, now } = ports
  const left = since && (await previousState(request.out, request.contentKey, ports, since.notes))
  const known = left?.isUnchanged ? left : null
  const made =
    (since && known && (await decideEdited(since, known, ports))) ?? (await decideWhole(known, ports))
  if ('errors' in made) return made
  const { prepared, ...rest } = made
  const { plan, commit, projectId, removed } = prepared
  const published = nextState(made.before.state, prepared, {
    engine,
    statics: made.statics,
    recorded: seen,
    now,
  })
  return { ...rest, plan, projectId, removed, published, isOther: commit !== null }
}

/** Every decision about a site, before anything is written. */
interface DecidedSite extends Pick<Site, 'origin'> {
  readonly before: PreviousState
  readonly prepared: PreparedSite
  readonly statics: StaticPlan
  /** Of all pages, drafts included. */
  readonly outlines: readonly PageOutline[]
  /** Null where all of the folder was read. */
  readonly since: Edits | null
}

interface DecidePorts extends Omit<BuildPorts, 'now' | 'renderer'> {
  readonly renderer: Renderer
  readonly request: BuildRequest
  readonly now: string
}

/** @param known what lies in the folder, where that is known without a look. */
async function decideWhole(
  known: PreviousState | null,
  ports: DecidePorts,
): Promise<DecidedSite | { readonly errors: readonly Diagnostic[] }> {
  const read = await releasesOfAll(known, ports)
  if ('errors' in read) return read
  const { before, releases, assets, place, ...rest } = read
  const prepared = await preparedOf(releases, { ...ports, ...place })
  if ('errors' in prepared) return prepared
  const statics = await planStatics(ports.request.folder, assets, before.state)
  return { before, prepared, statics, ...rest, since: null }
}

/** All that is asked of the folder: what was read of its pages need not stay in memory while they are rendered. */
async function releasesOfAll(known: PreviousState | null, ports: DecidePorts) {
  const { request } = ports
  const { site, errors, outlines } = await readContent(request, ports.renderer)
  if (errors.length > 0) return { errors }
  const before = known ?? (await previousState(request.out, request.contentKey, ports, null))
  const { origin, assets } = site
  const place = placeOf(site, request)
  const releases = await siteReleases(site, before, { ...ports, ...place })
  if ('errors' in releases) return releases
  return { before: { ...before, state: releases.ordered }, releases, assets, place, outlines, origin }
}

/** Null where more than these files has to be looked at. */
async function decideEdited(
  since: Edits,
  before: PreviousState,
  ports: DecidePorts,
): Promise<DecidedSite | { readonly errors: readonly Diagnostic[] } | null> {
  const { request } = ports
  const site = await readEditedContent(request, since, ports.renderer)
  const prepared =
    site && (await prepareEdited(site, before, { ...ports, ...placeOf(site, request), out: request.out }))
  if (site === null || prepared === null) return null
  if ('errors' in prepared) return prepared
  if ('shownBy' in prepared)
    return decideEdited({ ...since, edited: [...since.edited, ...prepared.shownBy] }, before, ports)
  const statics = unchangedStatics(before.state)
  return { before, prepared, statics, outlines: since.notes.outlines, origin: site.origin, since }
}

function placeOf({ origin }: Pick<Site, 'origin'>, request: BuildRequest): SiteAddress {
  return {
    origin: request.origin ?? origin ?? NOWHERE,
    keyId: request.contentKey === null ? null : keyIdOf(KEY_VERSION),
  }
}

function keysOf({ plan, copies, removals: gone }: SiteChanges): readonly string[] {
  return [...plan.uploads.map(({ artifact }) => artifact), ...copies, ...gone].map(({ key }) => key)
}

/** What is stored for an upload. */
async function encoder(
  projectId: ProjectId,
  contentKey: Uint8Array | null,
  { masterKey }: BuildPorts,
): Promise<(upload: Upload) => Uint8Array> {
  if (contentKey === null) return ({ artifact }) => artifact.body
  const kept = wrapContentKey(masterKey, projectId, KEY_VERSION, contentKey)
  const sealing = await createSealing(projectId, {
    storedArtifacts: { contentKeys: async () => [kept] },
    masterKey,
  })
  return sealing.encodeUpload
}

function withUploads(plan: Plan, more: readonly Upload[]): Plan {
  return { ...plan, uploads: [...plan.uploads, ...more] }
}

interface Built {
  readonly after: BuildState
  readonly changes: SiteChanges
  readonly seen: ReadonlyMap<PageId, RecordedPage>
  readonly removed: number
}

function reportOf({ after, changes, seen, removed }: Built): Omit<BuildReport, 'hasAddress' | 'warnings'> {
  const { plan, copies, removals: gone } = changes
  const sizes = [...plan.uploads.map(({ artifact }) => sizeOf(artifact)), ...copies.map(({ size }) => size)]
  const times = [...seen].map(([id, { ms }]) => ({ file: after.pages.get(id)?.source ?? '', ms }))
  return {
    pages: { total: after.pages.size, rendered: seen.size, removed },
    files: {
      total: after.files.size,
      written: sizes.length,
      removed: gone.length,
      bytes: sizes.reduce((sum, size) => sum + size, 0),
    },
    slowest: times.sort((a, b) => b.ms - a.ms).slice(0, SLOWEST),
  }
}
