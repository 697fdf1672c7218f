import type { MailProblem } from '../../domain/mail-problem.ts'
import type { ProjectStatus } from '../../domain/project.ts'

/** Statistics about the installation. */
export interface OverviewRepository {
  /** @param since the time from which failures are counted. */
  read(since: string): Promise<Overview>
}

export interface Overview {
  readonly projects: Readonly<Record<ProjectStatus, number>>
  readonly pages: { readonly total: number; readonly live: number }
  /** Unfinished releases. */
  readonly releases: { readonly waiting: number; readonly reverting: number }
  readonly webhooks: {
    readonly active: number
    /** Disabled by Quoin. */
    readonly off: number
    /** Active, with a failed last attempt. */
    readonly failing: number
  }
  readonly failures: { readonly jobs: number; readonly deliveries: number; readonly mails: number }
  readonly mails: {
    /** Mails that wait to be sent. */
    readonly waiting: number
    /** Mails that were given up since, by reason. */
    readonly problems: Readonly<Partial<Record<MailProblem, number>>>
  }
}
