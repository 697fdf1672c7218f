import type { Knex } from 'knex'
import { rowsOf } from '../../src/db/dialect.ts'

/** What each project stores, counted row by row: the reference for the counters of `project_usage`. */
const SUMS = `SELECT id AS project_id, user_id,
  (SELECT count(*) FROM pages WHERE project_id = p.id) AS pages,
  (SELECT coalesce(sum(octet_length(title || description || coalesce(og_image_url, '') || meta || config || markdown
    || own_fields)), 0) FROM pages WHERE project_id = p.id) AS draft_bytes,
  (SELECT coalesce(sum(octet_length(snapshot)), 0) FROM releases WHERE project_id = p.id)
    + (SELECT coalesce(sum(length(bytes)), 0) FROM artifacts WHERE project_id = p.id)
    + (SELECT coalesce(sum(octet_length(settings)), 0) FROM settings_snapshots WHERE project_id = p.id)
    AS release_bytes,
  (SELECT count(*) FROM webhooks WHERE project_id = p.id) AS webhooks,
  (SELECT count(*) FROM jobs WHERE project_id = p.id AND kind IN ('publish-pages', 'scheduled-publish')
    AND state IN ('queued', 'running')) AS unfinished_jobs,
  (SELECT coalesce(sum(bytes), 0) FROM originals WHERE project_id = p.id AND state <> 'removing') AS media_bytes,
  (SELECT count(*) FROM members WHERE project_id = p.id) AS members
  FROM projects p WHERE purges = 0 ORDER BY id`

/** The counters, and the sums that they have to equal, of one moment. */
export async function usageAndSums(
  db: Knex,
): Promise<{ readonly counted: readonly unknown[]; readonly summed: readonly unknown[] }> {
  return db.transaction(async (trx) => ({
    counted: await trx('project_usage').orderBy('project_id'),
    summed: rowsOf(await trx.raw(SUMS)),
  }))
}
