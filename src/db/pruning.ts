import type { Knex } from 'knex'
import type { PageId, ReleaseId } from '../domain/ids.ts'
import type { PruneCursor, PruningRepository } from './repositories.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Releases are retained for this long, and the newest ones of each page beyond that. */
const RETENTION_DAYS = 90
const RETAINED_PER_PAGE = 50
/** A release without an effect is only needed to answer repetitions of its request. */
const NO_EFFECT_DAYS = 2
/** Rows examined per call. */
const STEP = 500

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createPruningRepository(db: Knex): PruningRepository {
  return {
    async releases(now, after) {
      const examined = await db<OldRow>('releases')
        .where('seq', '>', Number(after ?? 0))
        .where('created_at', '<', daysBefore(now, NO_EFFECT_DAYS))
        .whereNotNull('finished_at')
        .orderBy('seq')
        .limit(STEP)
        .select('id', 'seq', 'page_id', 'in_history', 'created_at')
      const old = examined.filter(
        ({ in_history, created_at }) => !in_history || created_at < daysBefore(now, RETENTION_DAYS),
      )
      const retained = await retainedOf(old)
      const pruned = old.filter(({ id }) => !retained.has(id)).map(({ id }) => id)
      await db('release_objects').whereIn('release_id', pruned).delete()
      await db('releases').whereIn('id', pruned).delete()
      return examined.length < STEP ? null : String(examined.at(-1)?.seq)
    },

    // A running release stores artifacts before any row references them, so projects with one are skipped.
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

  /** The live releases among these, and those within the newest `RETAINED_PER_PAGE` of an existing page. */
  async function retainedOf(old: readonly OldRow[]): Promise<ReadonlySet<ReleaseId>> {
    const ids = old.map(({ id }) => id)
    const retained = new Set<ReleaseId>(await db('live_pages').whereIn('release_id', ids).pluck('release_id'))
    const inHistory = old.filter(({ in_history }) => in_history)
    const pages = [...new Set(inHistory.map(({ page_id }) => page_id))]
    for (const pageId of await db('pages').whereIn('id', pages).pluck('id')) {
      const oldest = await oldestRetained(pageId)
      for (const { id, page_id, seq } of inHistory) if (page_id === pageId && seq >= oldest) retained.add(id)
    }
    return retained
  }

  async function oldestRetained(pageId: PageId): Promise<number> {
    const row = await db<OldRow>('releases')
      .where({ page_id: pageId, in_history: true })
      .orderBy('seq', 'desc')
      .offset(RETAINED_PER_PAGE - 1)
      .first('seq')
    return row?.seq ?? 0
  }

  /**
   * Deletes rows with a project and a digest that no row of the given columns references.
   *
   * @param skipped projects whose rows are not deleted.
   */
  async function sweep(
    table: string,
    after: PruneCursor | null,
    references: readonly (readonly [string, string])[],
    skipped: Knex.QueryBuilder | null = null,
  ): Promise<PruneCursor | null> {
    const [project = '', digest = ''] = after?.split(' ') ?? []
    const beyond = 'project_id > ? OR (project_id = ? AND digest > ?)'
    const examined = await db<DigestRow>(table)
      .whereRaw(`(${beyond})`, [project, project, digest])
      .orderBy(['project_id', 'digest'])
      .limit(STEP)
      .select('project_id', 'digest')
    const last = examined.at(-1)
    if (last === undefined) return null
    const unused = db(table)
      .whereRaw(`(${beyond})`, [project, project, digest])
      .whereRaw(`NOT (${beyond})`, [last.project_id, last.project_id, last.digest])
    if (skipped !== null) unused.whereNotIn('project_id', skipped)
    for (const [referrer, column] of references) {
      unused.whereNotExists((referring) =>
        referring
          .from(referrer)
          .select(db.raw('1'))
          .whereRaw('??.project_id = ??.project_id', [referrer, table])
          .whereRaw('?? = ??', [`${referrer}.${column}`, `${table}.digest`]),
      )
    }
    await unused.delete()
    return examined.length < STEP ? null : `${last.project_id} ${last.digest}`
  }
}

interface OldRow {
  readonly id: ReleaseId
  readonly seq: number
  readonly page_id: PageId
  readonly in_history: number | boolean
  readonly created_at: string
}

interface DigestRow {
  readonly project_id: string
  readonly digest: string
}

function daysBefore(now: string, days: number): string {
  return new Date(Date.parse(now) - days * DAY_MS).toISOString()
}
