import { ApiError } from '../client/api-error.ts'
import type { Client } from '../client/client.ts'
import type { BodyOf, DataOf } from '../client/routes.ts'
import { MAX_CONFLICT_BYTES, MAX_PUSH_CONFLICTS, type PushCounts } from '../domain/push.ts'
import type { PageConflict, PushReport } from './push-site.ts'

/** A commit of the folder, as Git knows it. */
export interface Revision {
  readonly id: string
  /** ISO 8601 UTC. */
  readonly committedAt: string
}

export interface PushedFolder {
  /** The identity of the folder. */
  readonly folder: string
  /** The name of the site. */
  readonly name: string
  /** The commit. Null without Git. */
  readonly revision: Revision | null
}

/** The push of a folder before this one. */
export type PreviousPush = NonNullable<DataOf<'POST /projects/{id}/pushes'>['previous']>

/** A push that is registered on the server. Other pushes of the folder wait for it. */
export interface PushSession {
  readonly id: string
  readonly previous: PreviousPush | null
  /** Tells the server that the push continues. */
  beat(): Promise<void>
  end(state: 'done' | 'failed', counts: PushCounts, conflicts?: readonly PageConflict[]): Promise<void>
}

interface SessionPorts {
  readonly api: Client
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number
  readonly pause: (ms: number) => Promise<void>
  /** Called once when another push of the folder runs. @param message of the server. */
  readonly onWait: (message: string) => void
}

/** The longest wait for another push of the folder. */
const LONGEST_WAIT_MS = 10 * 60_000
const POLL_MS = 3_000

/**
 * Begins a push, after another one of the folder has ended.
 *
 * @throws {ApiError} `conflict` when that takes more than 10 minutes.
 */
export async function startSession(
  project: string,
  { folder, name, revision }: PushedFolder,
  { api, monotonic, pause, onWait }: SessionPorts,
): Promise<PushSession> {
  const until = monotonic() + LONGEST_WAIT_MS
  const body = {
    folder,
    name,
    revision: revision?.id ?? null,
    committed_at: revision?.committedAt ?? null,
  }
  for (let isFirst = true; ; isFirst = false) {
    try {
      const { id, previous } = await api.projects.startPush(project, body)
      return {
        id,
        previous,
        async beat() {
          await api.projects.reportPush(id, { state: 'running' })
        },
        async end(state, counts, conflicts = []) {
          await api.projects.reportPush(id, { state, counts, conflicts: reportedConflicts(conflicts) })
        },
      }
    } catch (error) {
      if (!(error instanceof ApiError && error.name === 'conflict') || monotonic() >= until) throw error
      if (isFirst) onWait(error.message)
      await pause(POLL_MS)
    }
  }
}

/** The last push of the folder to the project; null if there was none. */
export async function lastPush(api: Client, project: string, folder: string): Promise<PreviousPush | null> {
  for await (const { state, counts, ...push } of api.projects.pushes(project, { folder })) {
    // A push that was rejected before it sent anything does not count.
    if (state !== 'failed' || Object.keys(counts).length > 0) return push
  }
  return null
}

type ReportedConflicts = NonNullable<BodyOf<'PUT /pushes/{id}'>['conflicts']>

/** Bytes of a list of conflicts that hold no values. */
const BYTES_WITHOUT_VALUES = MAX_CONFLICT_BYTES / 2

/** The conflicts to report, up to the limit of the server. Values that are too large together are left out. */
function reportedConflicts(conflicts: readonly PageConflict[]): ReportedConflicts {
  let room = MAX_CONFLICT_BYTES - BYTES_WITHOUT_VALUES
  return conflicts.slice(0, MAX_PUSH_CONFLICTS).map(({ id, file, digests, values }) => {
    const bytes = Buffer.byteLength(JSON.stringify(values))
    const isSent = bytes <= room
    if (isSent) room -= bytes
    return { page_id: id, path: file, fields: digests, values: isSent ? values : null }
  })
}

/** The counts of a push, for the server. */
export function countsOf(report: PushReport): PushCounts {
  return {
    created: report.created.length,
    updated: report.updated.length,
    unchanged: report.unchanged,
    kept: report.kept.length,
    conflicts: report.conflicts.length,
    removed: report.removed.length,
    published: report.published.length,
    scheduled: report.scheduled.length,
    left_over: report.unpruned.length,
  }
}
