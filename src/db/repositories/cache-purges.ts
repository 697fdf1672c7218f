import type { ProjectId } from '../../domain/ids.ts'
import type { EventPorts } from './webhooks.ts'

/** An object, or a whole site, whose purge is pending. */
export interface PendingPurge {
  readonly projectId: ProjectId
  /** Relative to the project's prefix; `WHOLE_SITE` for everything. */
  readonly key: string
  /** Changes when it is requested again. */
  readonly requestId: string
  /** True if it was purged once already. */
  readonly isRepeat: boolean
}

/** The pending purges of the CDN. Publishing records them with each release. */
export interface CachePurgeRepository {
  /** Requests that everything of a site is forgotten, and enqueues a job for it unless one is queued. */
  requestSite(projectId: ProjectId, ports: EventPorts): Promise<void>
  /** Due purges of all projects, longest due first. */
  due(now: string, limit: number): Promise<readonly PendingPurge[]>
  /** When the next purge of a project is due; null when none is pending. */
  nextOf(projectId: ProjectId): Promise<string | null>
  /** Removes what was purged, or makes it due again the first time. Leaves what was requested again meanwhile. */
  settle(purged: readonly PendingPurge[], repeatAt: string | null): Promise<void>
  /** Enqueues a job for a project, or makes the queued one due earlier. */
  enqueueJob(projectId: ProjectId, dueAt: string, ports: EventPorts): Promise<void>
}
