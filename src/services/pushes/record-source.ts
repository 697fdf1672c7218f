import type { SourceId } from '../../db/repositories/sources.ts'
import type { Repositories } from '../../db/repositories.ts'
import type { Asset } from '../../domain/asset.ts'
import type { ProjectId } from '../../domain/ids.ts'
import type { Page } from '../../domain/page.ts'
import type { PushConflict } from '../../domain/push.ts'
import type { FieldDigests, SourceFile, SourceRecord } from '../../domain/source.ts'
import { digestsOfFields, NO_FIELDS, pushedDigests } from '../../page-text/field-digests.ts'
import { digestsOfPage } from './sources.ts'

/** The file that a write of a record comes from. */
export interface WrittenSource {
  readonly file: SourceFile
  /** True when the push created the record; undefined when the last push of the folder has recorded that. */
  readonly created?: boolean | undefined
  /** Names of the fields in the write; null when the whole record counts as pushed as it is stored. */
  readonly fields: readonly string[] | null
  /** Fields of the file that were not written, but count as pushed: the stored values stay until the file changes. */
  readonly unwritten?: PushConflict['fields']
}

/** A record after the write. */
interface WrittenRecord {
  readonly projectId: ProjectId
  readonly record: SourceRecord
  readonly recordId: SourceId
  readonly version: number
  readonly digests: FieldDigests
}

/** Records what a push has written, in the transaction of the write. */
export async function recordSource(
  { sources, pushes }: Repositories,
  { projectId, record, recordId, version, digests }: WrittenRecord,
  { file, created, fields, unwritten }: WrittenSource,
  now: string,
): Promise<void> {
  const known = await sources.find(recordId)
  const ofFolder = known?.folder === file.folder ? known : null
  const push = await pushes.running(projectId, file.folder, now)
  // A folder that states some settings says nothing about the others, a file of a page about all of its fields.
  const former = ofFolder ?? (record === 'settings' ? NO_FIELDS : digests)
  const pushed =
    fields === null
      ? digests
      : pushedDigests(former, digests, { ...digestsOfFields(digests, fields), ...unwritten })
  await sources.put({
    ...pushed,
    created: created ?? ofFolder?.created ?? false,
    ...file,
    projectId,
    record,
    recordId,
    revision: push?.revision ?? null,
    pushedAt: now,
    storedVersion: version,
    storedDigest: digests.digest,
  })
}

/** Records that a page comes from a file. */
export async function recordPageSource(
  repositories: Repositories,
  page: Page,
  source: WrittenSource,
  now: string,
): Promise<void> {
  const written = {
    projectId: page.projectId,
    record: 'page' as const,
    recordId: page.id,
    version: page.version,
    digests: await digestsOfPage(repositories, page),
  }
  await recordSource(repositories, written, source, now)
  await repositories.pushes.deleteConflict(page.id)
}

/** Records that an asset has the bytes of a file. */
export function recordAssetSource(
  repositories: Repositories,
  { id, projectId, version, digest }: Asset,
  { created, ...file }: SourceFile & { readonly created?: boolean | undefined },
  now: string,
): Promise<void> {
  const digests = { digest, fields: {} }
  const written = { projectId, record: 'asset' as const, recordId: id, version, digests }
  return recordSource(repositories, written, { file, created, fields: null }, now)
}
