import type { SitePage } from '../content-folder/site.ts'
import type { AssetTexts } from '../domain/asset.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Hosting } from '../domain/project.ts'
import type { Settings } from '../domain/settings.ts'

/** The parts of a project that a client can move from one service to another. */
export interface ExportedProject {
  readonly name: string
  readonly settings: Settings
  readonly details: ProjectDetails
  /** Suspended by the operator. A client cannot import this. */
  readonly isSuspended: boolean
  /** Sorted by file. */
  readonly pages: readonly ExportedPage[]
  /** Sorted by name. */
  readonly assets: readonly ExportedAsset[]
  /** Redirects that belong to no page, with their targets as users write them. Sorted by path. */
  readonly redirects: readonly (readonly [from: string, to: string])[]
}

/** An image or a file, without its bytes. */
export interface ExportedAsset {
  /** On the service that it is exported from. */
  readonly id: string
  readonly name: string
  readonly texts: AssetTexts
}

/** The properties of a project other than settings and pages. */
export interface ProjectDetails {
  readonly status: 'active' | 'archived'
  /** Without the content key of Data Mode. */
  readonly hosting: Hosting
  /** A field of the legacy API. */
  readonly context: string
  readonly legacySettings: JsonObject
}

export interface ScheduledPublish {
  /** ISO 8601 UTC. */
  readonly at: string
  /** A warning stops the publish. */
  readonly strict: boolean
}

export interface ExportedPage {
  /** A page that is not live is a `draft`. */
  readonly page: SitePage
  readonly isArchived: boolean
  /** The scheduled publish. Null without one. */
  readonly scheduled: ScheduledPublish | null
  /** Edited since it was published. The export holds the edited version. */
  readonly isEdited: boolean
}
