import type { Knex } from 'knex'
import type { ProjectId } from '../../domain/ids.ts'
import type { HostingMode } from '../../domain/project.ts'
import type { DataModeRelease } from '../../domain/release.ts'
import type { CurrentSite, Mode } from '../../publish/decide/current-site.ts'
import type { ClaimPorts } from '../../publish/ledger/release-queue.ts'
import type { WrappedKey } from '../../publish/ledger/stored-artifacts.ts'

/* Mode and content keys of a project. Call these functions inside a transaction under the project's lease. */

/**
 * `next` until everything is sealed with it, then `active`; `retired` while objects sealed with it may exist. A `lost` key
 * is active too, but the objects are sealed with another one, lost with its master key.
 */
export type KeyState = 'storage' | 'next' | 'active' | 'lost' | 'retired' | 'destroyed'

const CURRENT: readonly KeyState[] = ['active', 'lost']

export interface KeyRow {
  readonly project_id: ProjectId
  readonly key_version: number
  readonly wrapped: string | null
  readonly master_key_id: string
  readonly state: KeyState
  readonly release_id: string | null
}

interface SiteRow {
  readonly hosting_mode: HostingMode
  readonly feed_id: string | null
  /** Id of the key; null without one, as is `state`. */
  readonly key_version: number | null
  readonly state: KeyState | null
}

/** Current mode and key of the project, and the id of its feed. */
export async function readCurrentSite(
  db: Knex,
  projectId: ProjectId,
  keyIdOf: ClaimPorts['keyIdOf'],
): Promise<CurrentSite> {
  const row = await db('projects')
    .leftJoin('content_keys', (join) =>
      join.on('content_keys.project_id', 'projects.id').onIn('content_keys.state', [...CURRENT]),
    )
    .where('projects.id', projectId)
    .first<SiteRow | undefined>('hosting_mode', 'feed_id', 'key_version', 'content_keys.state')
  if (row === undefined) throw new Error(`Project ${projectId} does not exist, but has releases.`)
  const { hosting_mode: hostingMode, feed_id: feedId, key_version: version, state } = row
  const isKeyLost = state === 'lost'
  if (hostingMode !== 'data_mode') return { hostingMode, keyId: null, isKeyLost, feedId }
  if (version === null) throw new Error(`Project ${projectId} is in Data Mode and has no key.`)
  return { hostingMode, keyId: keyIdOf(version), isKeyLost, feedId }
}

/** Mode of the project after Data Mode. */
export async function previousMode(trx: Knex, projectId: ProjectId): Promise<Mode> {
  const row = await trx('projects')
    .where({ id: projectId })
    .first<{ readonly previous_mode: HostingMode | null }>('previous_mode')
  return { hostingMode: row.previous_mode ?? 'full_host', keyId: null }
}

/** Creates the key of this release, or finds it at a repeated claim. @returns the version of the key. */
export async function nextKey(
  trx: Knex,
  { id, projectId }: DataModeRelease,
  { newKey }: ClaimPorts,
  now: string,
): Promise<number> {
  const keys = () => trx<KeyRow>('content_keys').where({ project_id: projectId })
  const existing = await keys().where({ release_id: id }).first()
  if (existing !== undefined) return existing.key_version
  const newest = await keys().orderBy('key_version', 'desc').first()
  if (newest === undefined) await insertKey(trx, projectId, newKey(0), 'storage', null, now)
  const version = (newest?.key_version ?? 0) + 1
  await insertKey(trx, projectId, newKey(version), 'next', id, now)
  return version
}

/** Activates the key of the release. */
export async function activateKey(trx: Knex, { id, projectId, op }: DataModeRelease): Promise<void> {
  const others = trx('content_keys').where({ project_id: projectId }).whereNot({ state: 'storage' })
  // Retired keys sealed objects from before Data Mode was disabled. A regeneration has sealed them with the new key.
  if (op === 'rekey') await others.whereNot({ release_id: id }).update({ state: 'destroyed', wrapped: null })
  else await others.whereIn('state', CURRENT).update({ state: 'retired' })
  await trx('content_keys').where({ project_id: projectId, release_id: id }).update({ state: 'active' })
}

/** Deletes the unused key of a failed release. */
export async function dropKey(trx: Knex, releaseId: string): Promise<void> {
  await trx('content_keys').where({ release_id: releaseId, state: 'next' }).delete()
}

/** @returns false when the project is in Data Mode already. */
export async function enableDataMode(trx: Knex, projectId: ProjectId, now: string): Promise<boolean> {
  const changed = await trx('projects')
    .where({ id: projectId })
    .whereNot({ hosting_mode: 'data_mode' })
    .update({
      previous_mode: trx.ref('hosting_mode'),
      hosting_mode: 'data_mode',
      data_mode_enabled_at: now,
      updated_at: now,
      version: trx.raw('version + 1'),
    })
  return changed === 1
}

/** @returns false when the project is not in Data Mode. */
export async function disableDataMode(trx: Knex, projectId: ProjectId, now: string): Promise<boolean> {
  const changed = await trx('projects')
    .where({ id: projectId, hosting_mode: 'data_mode' })
    .update({
      hosting_mode: trx.raw("coalesce(previous_mode, 'full_host')"),
      previous_mode: null,
      updated_at: now,
      version: trx.raw('version + 1'),
    })
  return changed === 1
}

async function insertKey(
  trx: Knex,
  projectId: ProjectId,
  { version, masterKeyId, sealed }: WrappedKey,
  state: KeyState,
  releaseId: string | null,
  now: string,
): Promise<void> {
  await trx('content_keys').insert({
    project_id: projectId,
    key_version: version,
    wrapped: sealed,
    master_key_id: masterKeyId,
    state,
    release_id: releaseId,
    created_at: now,
  })
}
