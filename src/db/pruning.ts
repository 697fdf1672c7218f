import type { Knex } from 'knex'
import type { PageId, ReleaseId } from '../domain/ids.ts'
import type { PruneCursor, PruningRepository } from './repositories.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Every release of so many days is kept, and so many of each page however old they are. */
const KEPT_DAYS = 90
const KEPT_PER_PAGE = 50
/** A release that came to nothing is only needed by a request that is sent again. */
const FRUITLESS_DAYS = 2
/** Rows looked at by one call. */
const STEP = 500

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createPruningRepository(db: Knex): PruningRepository {
  return {
    async releases(now, after) {
      const looked = await db<OldRow>('releases')
        .where('seq', '>', Number(after ?? 0))
        .where('created_at', '<', daysBefore(now, FRUITLESS_DAYS))
        .whereNotNull('finished_at')
        .orderBy('seq')
        .limit(STEP)
        .select('id', 'seq', 'page_id', 'in_history', 'created_at')
      const old = looked.filter(
        ({ in_history, created_at }) => !in_history || created_at < daysBefore(now, KEPT_DAYS),
      )
      const kept = await keptOf(old)
      const pruned = old.filter(({ id }) => !kept.has(id)).map(({ id }) => id)
      await db('release_objects').whereIn('release_id', pruned).delete()
      await db('releases').whereIn('id', pruned).delete()
      return looked.length < STEP ? null : String(looked.at(-1)?.seq)
    },

    // What a release under way has made is not named before its end.
    artifacts: (after) =>
      sweep(
        'artifacts',
        after,
        [
          ['release_objects', 'digest'],
          ['live_objects', 'artifact_digest'],
        ],
        db('releases').whereIn('state', ['claimed', 'reverting']).select('project_id'),
      ),

    settings: (after) =>
      sweep('settings_snapshots', after, [
        ['releases', 'settings_digest'],
        ['live_sites', 'settings_digest'],
      ]),
  }

  /** Those that stay: the live ones, and the newest of each page that there still is. */
  async function keptOf(old: readonly OldRow[]): Promise<ReadonlySet<ReleaseId>> {
    const ids = old.map(({ id }) => id)
    const kept = new Set<ReleaseId>(await db('live_pages').whereIn('release_id', ids).pluck('release_id'))
    const noted = old.filter(({ in_history }) => in_history)
    const pages = [...new Set(noted.map(({ page_id }) => page_id))]
    for (const pageId of await db('pages').whereIn('id', pages).pluck('id')) {
      const oldest = await oldestKept(pageId)
      for (const { id, page_id, seq } of noted) if (page_id === pageId && seq >= oldest) kept.add(id)
    }
    return kept
  }

  async function oldestKept(pageId: PageId): Promise<number> {
    const row = await db<OldRow>('releases')
      .where({ page_id: pageId, in_history: true })
      .orderBy('seq', 'desc')
      .offset(KEPT_PER_PAGE - 1)
      .first('seq')
    return row?.seq ?? 0
  }

  /**
   * Delete the rows, kept by project and digest, that none of these columns names.
   *
   * @param spared projects that are left as they are.
   */
  async function sweep(
    table: string,
    after: PruneCursor | null,
    users: readonly (readonly [string, string])[],
    spared: Knex.QueryBuilder | null = null,
  ): Promise<PruneCursor | null> {
    const [project = '', digest = ''] = after?.split(' ') ?? []
    const beyond = 'project_id > ? OR (project_id = ? AND digest > ?)'
    const looked = await db<KeptRow>(table)
      .whereRaw(`(${beyond})`, [project, project, digest])
      .orderBy(['project_id', 'digest'])
      .limit(STEP)
      .select('project_id', 'digest')
    const last = looked.at(-1)
    if (last === undefined) return null
    const unused = db(table)
      .whereRaw(`(${beyond})`, [project, project, digest])
      .whereRaw(`NOT (${beyond})`, [last.project_id, last.project_id, last.digest])
    if (spared !== null) unused.whereNotIn('project_id', spared)
    for (const [user, column] of users) {
      unused.whereNotExists((named) =>
        named
          .from(user)
          .select(db.raw('1'))
          .whereRaw('??.project_id = ??.project_id', [user, table])
          .whereRaw('?? = ??', [`${user}.${column}`, `${table}.digest`]),
      )
    }
    await unused.delete()
    return looked.length < STEP ? null : `${last.project_id} ${last.digest}`
  }
}

interface OldRow {
  readonly id: ReleaseId
  readonly seq: number
  readonly page_id: PageId
  readonly in_history: number | boolean
  readonly created_at: string
}

interface KeptRow {
  readonly project_id: string
  readonly digest: string
}

function daysBefore(now: string, days: number): string {
  return new Date(Date.parse(now) - days * DAY_MS).toISOString()
}
