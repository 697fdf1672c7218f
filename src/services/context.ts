import type { Database } from '../db/repositories.ts'
import type { PublicAddresses } from '../domain/project.ts'
import type { Publisher } from '../publish/queue/publisher.ts'
import type { Renderer } from '../renderer/renderer.ts'
import type { AccountLimitService } from './accounts/account-limits.ts'
import type { NewId } from './new-id.ts'
import type { PageTextModes } from './publishing/page-texts.ts'
import type { SocialPictures } from './publishing/social-pictures.ts'

/** Ports that most services need. */
export interface ServiceContext {
  readonly db: Database
  readonly publisher: Publisher
  readonly renderer: Renderer
  readonly addresses: PublicAddresses
  readonly accountLimits: AccountLimitService
  readonly socialPictures: SocialPictures
  readonly pageTexts: Pick<PageTextModes, 'direct'>
  readonly newId: NewId
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
}
