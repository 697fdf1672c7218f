import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type { PageId, ProjectId, ReleaseId } from '../domain/ids.ts'
import type { Snapshot } from '../domain/live-page.ts'
import type { PageStatus } from '../domain/page.ts'
import {
  type AnyRelease,
  isDataModeOp,
  type ProjectOp,
  type ReleaseOp,
  type ReleaseState,
} from '../domain/release.ts'
import { completeSettings, type Settings } from '../domain/settings.ts'
import type { RedirectChange } from '../domain/site-redirect.ts'
import type { ReleaseStatus } from '../publish/ledger/release-queue.ts'
import type { WrappedKey } from '../publish/ledger/stored-artifacts.ts'

export interface ReleaseRow {
  readonly seq: number
  readonly id: ReleaseId
  readonly project_id: ProjectId
  readonly page_id: PageId | null
  readonly op: ReleaseOp | ProjectOp
  readonly state: ReleaseState
  /** Text until the release has ended; a long one is compressed then (see `withSnapshotTexts`). */
  readonly snapshot: string
  readonly settings_digest: string
  readonly status_after: PageStatus | null
  readonly lenient: number | boolean
  readonly strict: number | boolean
  readonly restores: ReleaseId | null
  readonly title: string | null
  readonly path: string | null
  readonly undo: string | null
  readonly actor: string | null
  readonly outcome: string | null
  readonly failure: string | null
  readonly created_at: string
  readonly finished_at: string | null
  readonly deadline_at: string | null
  /** True if files of the release may have been written; set before the first one is. */
  readonly is_deploying: number | boolean
  /** Joined from `settings_snapshots`. */
  readonly settings: string
}

/** The text that `snapshot` stores. */
export function snapshotText({ settings: _, ...snapshot }: Snapshot, change?: RedirectChange): string {
  return JSON.stringify({ ...snapshot, change })
}

/** Stores settings once per distinct content. Returns their digest. */
export async function storeSettings(db: Knex, projectId: ProjectId, settings: Settings): Promise<string> {
  const text = JSON.stringify(settings)
  const digest = createHash('sha256').update(text).digest('hex')
  await db('settings_snapshots')
    .insert({ project_id: projectId, digest, settings: text })
    .onConflict(['project_id', 'digest'])
    .ignore()
  return digest
}

/** Releases with their settings, in order of acceptance. */
export function selectReleases(db: Knex): Knex.QueryBuilder<ReleaseRow, ReleaseRow[]> {
  return db('releases')
    .join('settings_snapshots', (join) =>
      join
        .on('settings_snapshots.project_id', 'releases.project_id')
        .on('settings_snapshots.digest', 'releases.settings_digest'),
    )
    .orderBy('releases.seq')
    .select('releases.*', 'settings_snapshots.settings')
}

export function readSettings(text: string): Settings {
  return completeSettings(JSON.parse(text))
}

/** Reads a stored page, and adds the fields that came later. */
function readPageSnapshot(stored: Omit<Snapshot, 'settings'>, settings: Settings): Snapshot {
  return {
    ...stored,
    page: { ...LATER_PAGE_VALUES, ...stored.page },
    fields: { ...LATER_FIELDS, ...stored.fields },
    settings,
  }
}

const LATER_PAGE_VALUES = { feedGuid: null, feedId: null } as const
const LATER_FIELDS = { tags: [] } as const

export function toRelease(row: ReleaseRow): AnyRelease {
  const settings = readSettings(row.settings)
  const { change, ...stored } = JSON.parse(row.snapshot)
  const { page_id: pageId, op } = row
  const common = {
    ...toStatus(row),
    projectId: row.project_id,
    seq: row.seq,
    createdAt: row.created_at,
  }
  const { site } = stored
  if (isDataModeOp(op)) return { ...common, op, site, settings }
  if (op === 'redirects') return { ...common, op, site, settings, change }
  if (pageId === null) throw new Error(`Release ${row.id} has no page.`)
  return {
    ...common,
    pageId,
    op,
    snapshot: readPageSnapshot(stored, settings),
    statusAfter: row.status_after,
    lenient: Boolean(row.lenient),
    strict: Boolean(row.strict),
    restores: row.restores,
    ...(change !== undefined && { redirects: change }),
  }
}

export function toStatus(
  row: Pick<ReleaseRow, 'id' | 'state' | 'outcome' | 'failure' | 'finished_at' | 'deadline_at'>,
): ReleaseStatus {
  return {
    id: row.id,
    state: row.state,
    outcome: row.outcome === null ? null : JSON.parse(row.outcome),
    failure: row.failure === null ? null : JSON.parse(row.failure),
    finishedAt: row.finished_at,
    deadlineAt: row.deadline_at,
  }
}

export function toWrappedKey(row: {
  readonly key_version: number
  readonly master_key_id: string
  readonly wrapped: string
}): WrappedKey {
  return { version: row.key_version, masterKeyId: row.master_key_id, sealed: row.wrapped }
}
