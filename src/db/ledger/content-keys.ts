import type { Knex } from 'knex'
import type { ProjectId } from '../../domain/ids.ts'
import type { SiteIdentity } from '../../domain/live-page.ts'
import type { HostingMode } from '../../domain/project.ts'
import type { DataModeRelease, Release } from '../../domain/release.ts'
import type { ClaimPorts } from '../../publish/ledger/release-queue.ts'
import type { WrappedKey } from '../../publish/ledger/stored-artifacts.ts'

/* Mode and content keys of a project. Call these functions inside a transaction under the project's lease. */

/**
 * `next` until everything is sealed with it, then `active`; `retired` while objects sealed with it may exist. A `lost`
 * key is active as well, but the objects are sealed with another one that was lost with its master key.
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

export type Mode = Pick<SiteIdentity, 'hostingMode' | 'keyId'>

/** The current mode and key of the project. */
export async function modeOf(trx: Knex, projectId: ProjectId, keyIdOf: ClaimPorts['keyIdOf']): Promise<Mode> {
  const { hosting_mode: hostingMode } = await hostingRow(trx, projectId)
  if (hostingMode !== 'data_mode') return { hostingMode, keyId: null }
  const key = await trx<KeyRow>('content_keys')
    .where({ project_id: projectId })
    .whereIn('state', CURRENT)
    .first()
  if (key === undefined) throw new Error(`Project ${projectId} is in Data Mode and has no key.`)
  return { hostingMode, keyId: keyIdOf(key.key_version) }
}

/** Whether the objects of the project are sealed with a key that was lost. */
export async function isKeyLost(trx: Knex, projectId: ProjectId): Promise<boolean> {
  const lost = await trx<KeyRow>('content_keys')
    .where({ project_id: projectId, state: 'lost' })
    .first('state')
  return lost !== undefined
}

/** The mode that the project returns to when Data Mode is disabled. */
export async function previousMode(trx: Knex, projectId: ProjectId): Promise<Mode> {
  const { previous_mode: previous } = await hostingRow(trx, projectId)
  return { hostingMode: previous ?? 'full_host', keyId: null }
}

export function inMode(release: Release, mode: Mode): Release {
  const { snapshot } = release
  return { ...release, snapshot: { ...snapshot, site: { ...snapshot.site, ...mode } } }
}

/** Creates the key of this release, or finds it when the release is claimed again. Returns the version of the key. */
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

/** Makes the release's key the one that seals from now on. */
export async function activateKey(trx: Knex, { id, projectId, op }: DataModeRelease): Promise<void> {
  const others = trx('content_keys').where({ project_id: projectId }).whereNot({ state: 'storage' })
  // Retired keys sealed objects from before Data Mode was disabled. A regeneration has sealed them with the new key.
  if (op === 'rekey') await others.whereNot({ release_id: id }).update({ state: 'destroyed', wrapped: null })
  else await others.whereIn('state', CURRENT).update({ state: 'retired' })
  await trx('content_keys').where({ project_id: projectId, release_id: id }).update({ state: 'active' })
}

/** Deletes the key of a release that failed. No object is sealed with it. */
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

async function hostingRow(
  trx: Knex,
  projectId: ProjectId,
): Promise<{ readonly hosting_mode: HostingMode; readonly previous_mode: HostingMode | null }> {
  const row = await trx('projects').where({ id: projectId }).first('hosting_mode', 'previous_mode')
  if (row === undefined) throw new Error(`Project ${projectId} does not exist, but has releases.`)
  return row
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
