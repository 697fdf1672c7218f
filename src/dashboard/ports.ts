import type Router from '@koa/router'
import type { RouterContext } from '@koa/router'
import type { Logger } from 'pino'
import type { PublicAddresses } from '../domain/project.ts'
import type { ApiState } from '../http/api.ts'
import type { ProjectReader } from '../http/bodies/project-schemas.ts'
import type { HttpsRule } from '../http/middleware/https-only.ts'
import type { RateLimits } from '../limits/rate-limits.ts'
import type { IncomingFiles } from '../media/incoming-files.ts'
import type { FairLimit } from '../platform/fair-limit.ts'
import type { AccountDeletionService } from '../services/accounts/delete-account.ts'
import type { KeyService } from '../services/accounts/keys.ts'
import type { PasskeyService } from '../services/accounts/passkeys.ts'
import type { RecoveryService } from '../services/accounts/recovery.ts'
import type { SecondFactorService } from '../services/accounts/second-factors.ts'
import type { SessionService } from '../services/accounts/sessions.ts'
import type { SetUpLinkService } from '../services/accounts/set-up-links.ts'
import type { UsageService } from '../services/accounts/usage.ts'
import type { AuditLogService } from '../services/audit/audit-log.ts'
import type { JobService } from '../services/jobs/jobs.ts'
import type { AssetUploadService } from '../services/media/asset-uploads.ts'
import type { AssetService } from '../services/media/assets.ts'
import type { InvitationLinkService } from '../services/members/invitation-links.ts'
import type { MemberService } from '../services/members/members.ts'
import type { OfferService } from '../services/members/offers.ts'
import type { PageService } from '../services/pages/pages.ts'
import type { PreviewService } from '../services/pages/previews.ts'
import type { RedirectService } from '../services/pages/redirects.ts'
import type { DomainService } from '../services/projects/domains.ts'
import type { ProjectService, Standing } from '../services/projects/projects.ts'
import type { StyleService } from '../services/projects/styles.ts'
import type { BulkPublishingService } from '../services/publishing/bulk-publishing.ts'
import type { DataModeService } from '../services/publishing/data-mode.ts'
import type { ProjectRedirectService } from '../services/publishing/project-redirects.ts'
import type { PublishingService } from '../services/publishing/publishing.ts'
import type { SchedulingService } from '../services/publishing/scheduling.ts'
import type { PushConflictService } from '../services/pushes/conflicts.ts'
import type { PushService } from '../services/pushes/pushes.ts'
import type { ReviewService } from '../services/reviews/reviews.ts'
import type { VisitService } from '../services/visits/visits.ts'
import type { WebhookService } from '../services/webhooks/webhooks.ts'
import type { Form } from './frame/form.ts'
import type { Frame } from './frame/frame.ts'
import type { DashboardFolders } from './frame/static-files.ts'

/** Services and settings of the dashboard; it has no rights of its own. */
export interface DashboardPorts {
  readonly sessions: SessionService
  readonly setUpLinks: SetUpLinkService
  readonly secondFactors: SecondFactorService
  readonly passkeys: PasskeyService
  readonly accountDeletion: AccountDeletionService
  /** The recovery service; null if no mail is sent. */
  readonly recovery: RecoveryService | null
  readonly projects: ProjectService
  readonly styles: StyleService
  readonly pages: PageService
  readonly publishing: PublishingService
  readonly bulkPublishing: BulkPublishingService
  readonly scheduling: SchedulingService
  readonly jobs: JobService
  readonly previews: PreviewService
  readonly assets: AssetService
  readonly assetUploads: AssetUploadService
  readonly incoming: IncomingFiles
  readonly mediaLimits: { readonly image: number; readonly file: number }
  readonly uploadTurns: FairLimit
  readonly readTurns: FairLimit
  readonly keys: KeyService
  readonly usage: UsageService
  readonly visits: VisitService
  readonly pushes: PushService
  readonly pushConflicts: PushConflictService
  readonly members: MemberService
  readonly offers: OfferService
  readonly invitationLinks: InvitationLinkService
  readonly reviews: ReviewService
  readonly redirects: RedirectService
  readonly projectRedirects: ProjectRedirectService
  readonly webhooks: WebhookService
  readonly auditLog: AuditLogService
  readonly dataMode: DataModeService
  readonly domains: DomainService
  readonly addresses: PublicAddresses
  readonly themes: readonly string[]
  readonly projectReader: ProjectReader
  readonly limits: RateLimits
  readonly https: HttpsRule
  readonly dashboard: {
    readonly folders: DashboardFolders
    /** Derives the tokens of forms. */
    readonly formKey: Uint8Array
    /** The URL at which users reach the service, without a trailing slash. */
    readonly baseUrl: string
  }
  readonly log: Logger
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
}

/** State of a request to the dashboard. `caller` is set where a session is needed. */
export interface DashboardState extends ApiState {
  readonly isSecure: boolean
  /** The client's address, as limits count it. */
  readonly address: string
  /** The token of the session; null without one. */
  sessionToken: string | null
  /** The caller's standing in the project of the path; absent elsewhere. */
  standing?: Standing
  /** Empty but for a POST. */
  form: Form
}

export type DashboardRouter = Router<DashboardState>
export type DashboardContext = RouterContext<DashboardState>

/** Dependencies of each view. */
export interface ViewPorts extends DashboardPorts {
  readonly frame: Frame
}
