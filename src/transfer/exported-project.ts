import type { SitePage } from '../content-folder/site.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Hosting } from '../domain/project.ts'
import type { Settings } from '../domain/settings.ts'

/** All that a client can carry of a project from one service to another. */
export interface ExportedProject {
  readonly name: string
  readonly settings: Settings
  readonly details: ProjectDetails
  /** By the operator, which no client can carry. */
  readonly isSuspended: boolean
  /** In the order of their files. */
  readonly pages: readonly ExportedPage[]
}

/** What a project has besides settings and pages. */
export interface ProjectDetails {
  readonly status: 'active' | 'archived'
  /** In Data Mode its content key does not come along. */
  readonly hosting: Hosting
  /** Of the legacy surface, kept as they are. */
  readonly context: string
  readonly legacySettings: JsonObject
}

export interface ScheduledPublish {
  /** ISO 8601 UTC. */
  readonly at: string
  /** Whether a warning keeps it from going live. */
  readonly strict: boolean
}

export interface ExportedPage {
  /** A `draft` is whatever is not live. */
  readonly page: SitePage
  readonly isArchived: boolean
  /** Null where nothing is scheduled. */
  readonly scheduled: ScheduledPublish | null
  /** Edited since it was published: the edits are what is carried. */
  readonly isEdited: boolean
}
