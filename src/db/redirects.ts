import type { Knex } from 'knex'
import type { Owner, OwnerKind } from '../domain/artifact.ts'
import type { PageId, RedirectId } from '../domain/ids.ts'
import type { LiveFacts } from '../domain/live-page.ts'
import { selectInChunks } from './ledger/objects.ts'
import { type RedirectRow, toRedirect } from './redirect-rows.ts'
import type { RedirectRepository } from './repositories/redirects.ts'

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createRedirectRepository(db: Knex): RedirectRepository {
  const rows = () => db<RedirectRow>('redirects')

  return {
    async find(projectId, id) {
      const row = await rows().where({ project_id: projectId, id }).first()
      return row === undefined ? null : toRedirect(row)
    },

    async list(projectId) {
      const found = await rows().where({ project_id: projectId }).orderBy('path')
      return found.map(toRedirect)
    },

    async formers(projectId, limit) {
      const found = await db('former_addresses')
        .leftJoin('live_pages', 'live_pages.page_id', 'former_addresses.page_id')
        .where('former_addresses.project_id', projectId)
        .orderBy(['former_addresses.path', 'former_addresses.id'])
        .limit(limit)
        .select<
          { id: RedirectId; path: string; page_id: PageId; left_at: string; live_path: string | null }[]
        >(
          'former_addresses.id',
          'former_addresses.path',
          'former_addresses.page_id',
          'former_addresses.left_at',
          'live_pages.path AS live_path',
        )
      return found.map(({ id, path, page_id: pageId, left_at: leftAt, live_path: livePath }) => {
        return { id, path, pageId, leftAt, livePath }
      })
    },

    async findFormer(projectId, id) {
      const row = await db('former_addresses').where({ project_id: projectId, id }).first('id')
      return row?.id ?? null
    },

    async addressesOf(pageId) {
      const former = await db('former_addresses')
        .where({ page_id: pageId })
        .orderBy('path')
        .pluck<string[]>('path')
      const live = await db('live_pages').where({ page_id: pageId }).pluck<string[]>('path')
      return [...new Set([...live, ...former])]
    },

    async ownersAt(projectId, keys) {
      const found = await selectInChunks(keys, (chunk) =>
        db('live_objects')
          .where({ project_id: projectId })
          .whereIn('key', chunk)
          .whereNotNull('artifact_digest')
          .select<{ key: string; owner_kind: OwnerKind; owner_id: string }[]>(
            'key',
            'owner_kind',
            'owner_id',
          ),
      )
      return new Map(
        found.map(({ key, owner_kind: kind, owner_id: id }): [string, Owner] => [key, { kind, id }]),
      )
    },

    async publicAt(projectId, key) {
      const row = await db('live_objects')
        .leftJoin('live_pages', 'live_pages.page_id', 'live_objects.owner_id')
        .leftJoin('redirects', (join) =>
          join
            .on('redirects.project_id', 'live_objects.project_id')
            .on('redirects.object_key', 'live_objects.key'),
        )
        .where({ 'live_objects.project_id': projectId, 'live_objects.key': key })
        .whereIn('live_objects.owner_kind', ['redirect', 'site-redirect'])
        .first<{ facts: string | null; leads_to: string | null } | undefined>(
          'live_pages.facts',
          'redirects.leads_to',
        )
      if (row === undefined) return null
      if (row.leads_to !== null) return JSON.parse(row.leads_to)
      const facts: LiveFacts | null = row.facts === null ? null : JSON.parse(row.facts)
      return facts === null ? null : { kind: 'of page', path: facts.path }
    },
  }
}
