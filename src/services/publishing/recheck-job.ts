import type { ProjectId } from '../../domain/ids.ts'
import { type Job, RECHECK } from '../../domain/job.ts'
import type { JobKind } from '../../jobs/job-kind.ts'
import type { PublishLog } from '../../publish/queue/lease-holder.ts'
import { type VerifyPorts, verifyProject } from '../../publish/recovery/verify.ts'
import { UPKEEP_RETRIES } from './job-retries.ts'

export interface RecheckPorts {
  readonly ports: VerifyPorts
  readonly log: PublishLog
}

/**
 * Compares the store with the database after another process took over a lease, and repairs what late writes of
 * the previous holder have changed. The payload holds the keys of its releases; the site's own files are always
 * checked.
 *
 * @param ports with a lease holder of their own, separate from the publisher of this process.
 */
export function createRecheckJob({ ports, log }: RecheckPorts): JobKind {
  return {
    name: RECHECK,
    concurrency: 1,
    ...UPKEEP_RETRIES,

    async run({ projectId, payload }: Job, _, stopping) {
      const only = new Set([...(payload as readonly string[]), ...(await siteKeys(projectId))])
      const wanted = { only, repair: true, onRead: () => {}, stopping }
      const findings = await verifyProject(projectId, ports, wanted)
      if (stopping.aborted) return null
      for (const { key, kind, repaired } of findings)
        log.error(
          { project: projectId, key, kind, repaired },
          'A late write of the previous lease holder was found.',
        )
      const left = findings.filter(({ repaired }) => !repaired)
      if (left.length > 0) throw new Error(`${left.length} objects could not be repaired.`)
      return []
    },

    // No request waits for it. The log and `quoin verify` report what is left.
    faultsOf: () => [],
  }

  async function siteKeys(projectId: ProjectId): Promise<readonly string[]> {
    const records = await ports.liveState.allObjects(projectId)
    return records
      .filter(({ owner: { kind } }) => kind !== 'page' && kind !== 'redirect')
      .map(({ key }) => key)
  }
}
