import type { ProjectId } from '../../domain/ids.ts'
import { ownTheme } from '../../domain/page.ts'
import { isPageRelease } from '../../domain/release.ts'
import type { Timers } from '../../domain/timers.ts'
import type { PublishPorts } from '../ports.ts'
import { createDeadlines } from '../queue/deadlines.ts'
import { createDrain } from '../queue/drain.ts'
import type { LeaseHolder, PublishLog } from '../queue/lease-holder.ts'
import { withLease } from '../queue/with-lease.ts'

/**
 * Ends the releases of a project that another process left part-way, and no others: those that wait in the queue are
 * for a server.
 *
 * @returns the reason why this process cannot end them; null when it could try.
 */
export type Recover = (projectId: ProjectId) => Promise<string | null>

export interface RecoverPorts extends PublishPorts {
  readonly leaseHolder: LeaseHolder
  readonly timers: Timers
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number
  readonly log: PublishLog
}

export function createRecover(ports: RecoverPorts): Recover {
  const deadlines = createDeadlines({
    ...ports,
    expire: async () => false,
    continueInBackground: ports.releaseQueue.continueInBackground,
  })
  const drain = createDrain({
    ...ports,
    deadlines,
    isRecovery: true,
    settle: () => {},
    requestsFor: () => [],
  })

  return async (projectId) => {
    if ((await ports.releaseQueue.listStarted(projectId)).length === 0) return null
    const [missing] = await missingThemes(projectId, ports)
    if (missing !== undefined)
      return `It cannot be ended here: the theme ${missing} is not installed. Name its folder in QUOIN_THEMES.`
    await withLease(projectId, ports.leaseHolder, drain)
    return null
  }
}

/** Themes needed to end the releases and missing in this process. The author's choice is not at fault. */
async function missingThemes(
  projectId: ProjectId,
  { releaseQueue, liveState, renderer }: Pick<PublishPorts, 'releaseQueue' | 'liveState' | 'renderer'>,
): Promise<readonly string[]> {
  const live = await liveState.site(projectId)
  const claimed = await releaseQueue.listClaimed(projectId)
  const needed = claimed.map((release) =>
    isPageRelease(release)
      ? (ownTheme(release.snapshot.page) ?? release.snapshot.settings.theme)
      : release.settings.theme,
  )
  const all = live === null ? needed : [live.settings.theme, ...needed]
  return all.filter((theme) => !renderer.themes.includes(theme))
}
