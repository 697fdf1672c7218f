import { type AssetId, type PageId, type ProjectId, prefixed } from '../../domain/ids.ts'
import type { Push } from '../../domain/push.ts'
import type { Source } from '../../domain/source.ts'
import type { StartedPush } from '../../services/pushes/pushes.ts'
import type { PushedRecord } from '../../services/pushes/sources.ts'

export function presentPush(push: Push) {
  return {
    id: prefixed('psh', push.id),
    project_id: prefixed('proj', push.projectId),
    folder: push.folder,
    name: push.name,
    revision: push.revision,
    committed_at: push.committedAt,
    state: push.state,
    counts: push.counts,
    user_id: prefixed('usr', push.userId),
    started_at: push.startedAt,
    expires_at: push.expiresAt,
    finished_at: push.finishedAt,
  }
}

export function presentStartedPush({ push, previous }: StartedPush) {
  return {
    id: prefixed('psh', push.id),
    expires_at: push.expiresAt,
    previous: previous && {
      name: previous.name,
      revision: previous.revision,
      committed_at: previous.committedAt,
      finished_at: previous.finishedAt,
    },
  }
}

/** The source of a page or an asset. */
export function presentSource(source: Source | null) {
  return (
    source && {
      folder: source.folder,
      path: source.path,
      digest: source.digest,
      fields: source.fields,
      revision: source.revision,
      pushed_at: source.pushedAt,
    }
  )
}

export function presentPushedRecord({ source, current, version, page }: PushedRecord) {
  return {
    path: source.path,
    record: source.record,
    id: presentRecordId(source),
    digest: source.record === 'settings' ? null : source.digest,
    fields: source.fields,
    current,
    created: source.created,
    version,
    type: page?.page.type ?? null,
    status: page?.page.status ?? null,
    url: page?.url ?? null,
    scheduled_at: page?.scheduledAt ?? null,
    has_unpublished_changes: page?.difference.hasUnpublishedChanges ?? null,
    stale: page?.difference.stale ?? null,
  }
}

function presentRecordId({ record, recordId }: Source): string {
  if (record === 'page') return prefixed('page', recordId as PageId)
  if (record === 'asset') return prefixed('ast', recordId as AssetId)
  return prefixed('proj', recordId as ProjectId)
}
