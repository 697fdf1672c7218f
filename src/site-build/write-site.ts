import { join } from 'node:path'
import { STAGES, spillFile } from '../domain/artifact.ts'
import type { ProjectId } from '../domain/ids.ts'
import { forEachConcurrently } from '../platform/concurrency.ts'
import { mkdirp } from '../platform/mkdirp.ts'
import type { Upload } from '../publish/ledger/upload.ts'
import { deploy, remove } from '../publish/pipeline/deploy.ts'
import type { Plan, Removal } from '../publish/pipeline/plan.ts'
import type { FolderStorage, StreamedBody } from '../storage/storage.ts'
import { STATE_FOLDER } from './incremental/file-fingerprints.ts'
import { begunFiles, outFolder, refuseForeign } from './output-folder.ts'
import type { PreparedSite } from './prepare-site.ts'
import {
  type BuildState,
  concurrentBuild,
  recordPendingWrites,
  STATIC_OWNER,
  stateDigest,
  writeState,
} from './state/build-state.ts'
import type { PreviousState } from './state/previous-state.ts'
import type { StaticCopy, StaticPlan } from './static-files.ts'
import { assertUnlocked, withBuildLock } from './write-lock.ts'

/** All changes to the output folder. */
export interface SiteChanges {
  readonly projectId: ProjectId
  readonly plan: Plan
  readonly copies: readonly StaticCopy[]
  /** Files to remove, sorted by key. */
  readonly removals: readonly Removal[]
}

/** The bytes to store for uploads. */
export interface UploadBodies {
  /** Returns the body of an upload, sealed in Data Mode. */
  readonly encode: (upload: Upload) => Uint8Array
  /** Returns the body of an image or file of a sealed page. Absent in plain: files of the folder are copied. */
  readonly mediaBody?: (upload: Upload) => Promise<StreamedBody>
}

interface WritePorts extends UploadBodies {
  readonly storage: FolderStorage
  /** Seals the build state; null if nothing is sealed. */
  readonly contentKey: Uint8Array | null
  /** The spill folder; null if nothing was spilled. */
  readonly spillFolder: string | null
  /** Number of files in the spill folder. */
  readonly spilledCount: number
}

export function changesOf(
  { own }: PreviousState,
  after: BuildState,
  { plan, projectId }: Pick<PreparedSite, 'plan' | 'projectId'>,
  { copies }: StaticPlan,
): SiteChanges {
  const gone: Removal[] = own
    .without(after.files)
    .map((key) => ({ key, owner: own.get(key)?.owner ?? STATIC_OWNER }))
  return { projectId, plan, copies, removals: gone.sort((a, b) => (a.key < b.key ? -1 : 1)) }
}

/**
 * Writes pages before the indexes that name them, and removes files last. The keys are recorded first, so that the next
 * build can complete an aborted one.
 *
 * @throws {ServiceError} `conflict` if a foreign file is in the way, or another build writes into the
 *   folder or has finished since this one read its state; nothing is written then.
 * @throws {StorageError} when the folder cannot be written; nothing is written then.
 */
export async function writeSite(
  out: string,
  made: { readonly changes: SiteChanges; readonly before: PreviousState; readonly after: BuildState },
  ports: WritePorts,
): Promise<void> {
  const { plan, copies, removals: gone } = made.changes
  const written = [...copies.map(({ key }) => key), ...plan.uploads.map(({ artifact }) => artifact.key)]
  if (written.length + gone.length === 0 && made.before.isWhole) return
  // First: files of a build that is about to finish would look foreign.
  assertUnlocked(out)
  assertAsFound(out, made.before)
  const { foreign, isLost } = made.before
  const begun = isLost ? await begunFiles(out, bodiesIn(made.changes, ports), foreign) : NONE
  refuseForeign(out, written, new Set([...foreign].filter((key) => !begun.has(key))))
  await ports.storage.check()
  await mkdirp(join(out, STATE_FOLDER))
  await withBuildLock(out, async () => {
    assertAsFound(out, made.before)
    await recordPendingWrites(out, [...written, ...gone.map(({ key }) => key)])
    await writeChanges(made.changes, ports)
    await writeState(out, made.after, ports.contentKey, { isLost })
  })
}

const NONE: ReadonlySet<string> = new Set()

/** Files to write that can be compared with existing ones. Sealed files differ from build to build. */
function bodiesIn(
  { plan, copies }: SiteChanges,
  { contentKey }: WritePorts,
): readonly Pick<StaticCopy, 'key' | 'body'>[] {
  if (contentKey !== null) return []
  const rendered = plan.uploads.flatMap(({ artifact: { key, body, spilled } }) =>
    spilled === undefined ? [{ key, body }] : [],
  )
  return [...copies, ...rendered]
}

function assertAsFound(out: string, { digest }: PreviousState): void {
  if (stateDigest(out) !== digest) throw concurrentBuild(out)
}

async function writeChanges(
  { plan, copies, removals: gone, projectId }: SiteChanges,
  { storage, encode, mediaBody, spillFolder, spilledCount }: WritePorts,
): Promise<void> {
  await forEachConcurrently(copies, (copy) => storage.put(copy))
  const folder = outFolder(storage, projectId)
  for (const stage of STAGES) {
    const due = plan.uploads.filter(({ artifact }) => artifact.stage === stage)
    const lying = filesOf(due)
    const keys = lying.map(({ key }) => key)
    // Move whole folders only if every spilled file is to be written.
    const isAll = stage === 'page' && keys.length === spilledCount
    if (isAll && spillFolder !== null) await storage.moveAllInto(keys, spillFolder)
    else for (const { key, file } of lying) await storage.moveInto(key, file)
    const uploads = due.filter(({ artifact }) => artifact.spilled === undefined)
    await deploy({ uploads, deletes: [] }, projectId, folder, encode, mediaBody)
  }
  await remove(projectId, gone, folder)
}

/** The spill files of these uploads. */
function filesOf(uploads: readonly Upload[]): readonly { readonly key: string; readonly file: string }[] {
  return uploads.flatMap(({ artifact: { key, spilled } }) =>
    spilled === undefined ? [] : [{ key, file: spillFile({ key }, spilled) }],
  )
}
