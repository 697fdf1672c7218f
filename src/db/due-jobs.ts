import type { Knex } from 'knex'
import type { DueJobs, RunningJob } from '../domain/job-turns.ts'
import type { Lane } from '../jobs/job-queue.ts'
import { rowsOf } from './dialect.ts'

/**
 * Queued jobs of a lane by project, or by subject in a lane with a limit per subject. Steps from one to the next in an
 * index, so that the cost grows with their number, not with the number of jobs.
 */
export async function dueJobs(
  db: Knex,
  { name: kind, perSubject, behind = [] }: Lane,
  now: string,
): Promise<readonly DueJobs[]> {
  const bySubject = perSubject !== undefined
  const column = bySubject ? 'subject' : 'project_id'
  const queued = "FROM jobs WHERE kind = ? AND state = 'queued'"
  const answer = await db.raw(
    `WITH RECURSIVE waiting(owner) AS (
      SELECT min(${column}) ${queued}
      UNION ALL
      SELECT (SELECT min(${column}) ${queued} AND ${column} > waiting.owner)
      FROM waiting WHERE waiting.owner IS NOT NULL
    ), standing(owner, project, due_at) AS (
      SELECT owner,
        ${bySubject ? `(SELECT project_id ${queued} AND subject = waiting.owner LIMIT 1)` : 'owner'},
        (SELECT min(due_at) ${queued} AND ${column} = waiting.owner)
      FROM waiting WHERE owner IS NOT NULL
    )
    SELECT projects.user_id AS account, standing.project, standing.due_at AS "dueAt",
      ${bySubject ? 'standing.owner' : 'NULL'} AS subject
    FROM standing JOIN projects ON projects.id = standing.project
    WHERE standing.due_at <= ? ${behind.length === 0 ? '' : withoutAhead(behind)} ORDER BY standing.due_at`,
    [
      ...Array.from({ length: bySubject ? 4 : 3 }, () => kind),
      now,
      ...(behind.length === 0 ? [] : [...behind, now]),
    ],
  )
  return rowsOf<DueJobs>(answer)
}

/** Leaves out projects with jobs of kinds that go first. */
function withoutAhead(behind: readonly string[]): string {
  return `AND NOT EXISTS (SELECT 1 FROM jobs AS ahead WHERE ahead.project_id = standing.project
    AND ahead.kind IN (${behind.map(() => '?').join(', ')})
    AND (ahead.state = 'running' OR (ahead.state = 'queued' AND ahead.due_at <= ?)))`
}

/** The running jobs of a lane. */
export async function runningJobs(
  db: Knex,
  { name: kind }: Lane,
  holder: string,
): Promise<readonly RunningJob[]> {
  const rows = await db('jobs')
    .join('projects', 'projects.id', 'jobs.project_id')
    .where({ 'jobs.state': 'running', 'jobs.kind': kind })
    .select({ account: 'user_id', project: 'project_id', subject: 'jobs.subject', holder: 'jobs.holder' })
  return rows.map(({ holder: its, ...owner }) => ({ ...owner, isOwn: its === holder }))
}
