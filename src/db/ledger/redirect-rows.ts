import type { Knex } from 'knex'
import { SERVICE } from '../../domain/audit.ts'
import type { PageId, ProjectId, RedirectId } from '../../domain/ids.ts'
import type { RedirectRelease } from '../../domain/release.ts'
import { NO_CHANGE, type RedirectChange, type RedirectState } from '../../domain/site-redirect.ts'
import type { LiveState } from '../../publish/ledger/live-state.ts'
import type { RedirectRows } from '../../publish/ledger/redirect-rows.ts'
import type { Commit } from '../../publish/ledger/release-queue.ts'
import { createAuditRepository } from '../audit.ts'
import type { Connections } from '../connections.ts'
import { type RedirectRow, toRedirect, toRow, toStateColumns } from '../redirect-rows.ts'
import type { ReleaseRow } from '../release-rows.ts'
import type { EventPorts } from '../repositories/webhooks.ts'
import { inChunks, selectInChunks } from './objects.ts'

export function createRedirectRows(
  { reader }: Pick<Connections, 'reader'>,
  { sizesOf }: Pick<LiveState, 'sizesOf'>,
): RedirectRows {
  return {
    async list(projectId) {
      const rows = await reader<RedirectRow>('redirects').where({ project_id: projectId }).orderBy('path')
      return rows.map(toRedirect)
    },

    async pathsOf(pages) {
      const rows = await selectInChunks(pages, (chunk) =>
        reader('live_pages')
          .whereIn('page_id', chunk)
          .select<{ page_id: PageId; path: string }[]>('page_id', 'path'),
      )
      return new Map(rows.map(({ page_id: id, path }) => [id, path]))
    },

    async formersOf(projectId, ids) {
      const rows = await selectInChunks(ids, (chunk) =>
        reader('former_addresses')
          .where({ project_id: projectId })
          .whereIn('id', chunk)
          .select<{ path: string; page_id: PageId }[]>('path', 'page_id'),
      )
      return rows.map(({ path, page_id: pageId }) => ({ path, pageId }))
    },

    sizesOf,
  }
}

/* Call these functions inside a transaction under the project's lease. */

/** Stores a change of redirects, and records it in the audit log for the actor of its release. */
export async function writeRedirectChange(
  trx: Knex,
  { id, projectId }: Pick<RedirectRelease, 'id' | 'projectId'>,
  { put, remove }: RedirectChange = NO_CHANGE,
  { newId, now }: EventPorts,
): Promise<void> {
  if (put.length + remove.length === 0) return
  const known = new Set(
    await selectInChunks(
      put.map((redirect) => redirect.id),
      (chunk) => trx('redirects').whereIn('id', chunk).pluck<string[]>('id'),
    ),
  )
  const removed: RedirectId[] = []
  for (const table of ['redirects', 'former_addresses']) {
    await inChunks(remove, async (chunk) => {
      const rows = () => trx(table).where({ project_id: projectId }).whereIn('id', chunk)
      removed.push(...(await rows().pluck<RedirectId[]>('id')))
      await rows().delete()
    })
  }
  const rows = put.map((redirect) => toRow(projectId, redirect))
  await inChunks(rows, (chunk) => trx('redirects').insert(chunk).onConflict('id').merge())
  const release = await trx<ReleaseRow>('releases').where({ id }).first('actor')
  const audit = createAuditRepository(trx)
  const acts = [
    ...removed.map((target) => ({ act: 'redirect.delete' as const, target })),
    ...rows.map(({ id: target }) => ({
      act: known.has(target) ? ('redirect.update' as const) : ('redirect.create' as const),
      target,
    })),
  ]
  for (const { act, target } of acts)
    await audit.insert({
      id: newId<'aud'>(),
      createdAt: now,
      of: { projectId },
      act,
      target,
      actor: release?.actor == null ? SERVICE : JSON.parse(release.actor),
      ...(act === 'redirect.update' && { fields: ['to'] }),
    })
}

/** Stores the outcomes of redirects on the site. */
export async function writeRedirectStates(trx: Knex, states: readonly RedirectState[]): Promise<void> {
  for (const state of states) await trx('redirects').where({ id: state.id }).update(toStateColumns(state))
}

/** Takes all redirects of a project off the site, for Data Mode. */
export async function writeNoneLive(trx: Knex, projectId: ProjectId): Promise<void> {
  await trx('redirects')
    .where({ project_id: projectId })
    .whereNotNull('object_key')
    .update({ object_key: null })
}

/** Stores former paths of pages, which redirect to them until they are deleted. */
export async function writeFormerAddresses(
  trx: Knex,
  projectId: ProjectId,
  left: Commit['left'],
  { newId, now }: EventPorts,
): Promise<void> {
  const rows = left.map(({ pageId, path }) => ({
    id: newId<'rdr'>(),
    project_id: projectId,
    page_id: pageId,
    path,
    left_at: now,
  }))
  await inChunks(rows, (chunk) =>
    trx('former_addresses').insert(chunk).onConflict(['page_id', 'path']).merge(['left_at']),
  )
}
