import type { Knex } from 'knex'
import type { PageId, ProjectId, ReleaseId } from '../domain/ids.ts'
import type { PruneCursor, PruningRepository } from './repositories/pruning.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Releases are retained for this long, and the newest ones of each page beyond that. */
const RETENTION_DAYS = 90
const RETAINED_PER_PAGE = 50
/** A release without an effect is only needed to answer repetitions of its request. */
const NO_EFFECT_DAYS = 2
/** Newest releases of each page that an account keeps although it stores too much. */
const SPARED_PER_PAGE = 5
/** Releases deleted per call when an account stores too much: each may have megabytes. */
const OLDEST_STEP = 50
/** Projects of an account searched per call, in descending order of what they store. */
const LARGEST_PROJECTS = 20
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

    async oldestOf(userId) {
      const projects = await db('project_usage')
        .where({ user_id: userId })
        .orderBy('release_bytes', 'desc')
        .limit(LARGEST_PROJECTS)
        .pluck<ProjectId[]>('project_id')
      for (const projectId of projects) {
        const pruned = await prunableOf(projectId)
        if (pruned.length === 0) continue
        const digests = await db('release_objects').whereIn('release_id', pruned).distinct().pluck('digest')
        await db('release_objects').whereIn('release_id', pruned).delete()
        await db('releases').whereIn('id', pruned).delete()
        await deleteUnused(projectId, digests)
        return true
      }
      return false
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

  /** Ended releases of a project beyond the newest 5 of each existing page, oldest first. */
  async function prunableOf(projectId: ProjectId): Promise<readonly ReleaseId[]> {
    return db
      .from(
        db('releases')
          .where({ project_id: projectId })
          .whereNotNull('page_id')
          .select(
            'id',
            'page_id',
            'seq',
            'finished_at',
            db.raw('row_number() OVER (PARTITION BY page_id ORDER BY seq DESC) AS age'),
          )
          .as('aged'),
      )
      .where((surplus) =>
        surplus
          .where('age', '>', SPARED_PER_PAGE)
          .orWhereNotIn('page_id', db('pages').where({ project_id: projectId }).select('id')),
      )
      .whereNotNull('finished_at')
      .whereNotIn('id', db('live_pages').where({ project_id: projectId }).select('release_id'))
      .whereNotIn('id', sealedBy().where({ project_id: projectId }).select('release_id'))
      .orderBy('seq')
      .limit(OLDEST_STEP)
      .pluck('id')
  }

  /** Deletes the unreferenced ones of these artifacts. A running release may reference some later. */
  async function deleteUnused(projectId: ProjectId, digests: readonly string[]): Promise<void> {
    const running = await db('releases')
      .where({ project_id: projectId })
      .whereIn('state', ['claimed', 'reverting'])
      .first('id')
    if (running !== undefined) return
    const ofProject = (table: string, column: string) =>
      db(table).where({ project_id: projectId }).whereNotNull(column).select(column)
    for (let start = 0; start < digests.length; start += STEP)
      await db('artifacts')
        .where({ project_id: projectId })
        .whereIn('digest', digests.slice(start, start + STEP))
        .whereNotIn('digest', ofProject('release_objects', 'digest'))
        .whereNotIn('digest', ofProject('live_objects', 'artifact_digest'))
        .delete()
  }

  /** Sealed pages on the CDN. After Data Mode was disabled, the live release of their page is another one. */
  function sealedBy(): Knex.QueryBuilder {
    return db('live_objects').where({ owner_kind: 'page' }).whereNotNull('key_id')
  }

  /**
   * Returns the releases among these that readers see, or within the newest `RETAINED_PER_PAGE` of an existing page.
   */
  async function retainedOf(old: readonly OldRow[]): Promise<ReadonlySet<ReleaseId>> {
    const ids = old.map(({ id }) => id)
    const retained = new Set<ReleaseId>([
      ...(await db('live_pages').whereIn('release_id', ids).pluck('release_id')),
      ...(await sealedBy().whereIn('release_id', ids).pluck('release_id')),
    ])
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
