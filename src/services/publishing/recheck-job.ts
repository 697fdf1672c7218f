import type { ProjectId } from '../../domain/ids.ts'
import { type Job, RECHECK, WHOLE_SITE } from '../../domain/job.ts'
import type { JobKind } from '../../jobs/job-kind.ts'
import type { Ledger } from '../../publish/ledger/ledger.ts'
import type { PublishLog } from '../../publish/queue/lease-holder.ts'
import { type VerifyPorts, verifyProject } from '../../publish/recovery/verify.ts'
import { UPKEEP_RETRIES } from './job-retries.ts'

export interface RecheckPorts {
  readonly ports: VerifyPorts & Pick<Ledger, 'lateWrites'>
  readonly log: PublishLog
}

/**
 * Compares the store with the database where writes may have arrived late, and repairs what they changed. It runs again
 * until none can arrive any more.
 *
 * @param ports with a lease holder of their own, separate from the publisher of this process.
 */
export function createRecheckJob({ ports, log }: RecheckPorts): JobKind {
  return {
    name: RECHECK,
    concurrency: 1,
    ...UPKEEP_RETRIES,

    async run({ projectId }: Job, _, stopping) {
      const checkedAt = ports.now()
      const keys = await ports.lateWrites.keys(projectId)
      if (keys.length === 0) return []
      const isWhole = keys.includes(WHOLE_SITE)
      const only = new Set([...keys, ...(isWhole ? await siteKeys(projectId) : [])])
      const wanted = { only, repair: true, onRead: () => {}, stopping }
      const findings = await verifyProject(projectId, ports, wanted)
      if (stopping.aborted) return null
      for (const { key, kind, repaired } of findings)
        log.error(
          { project: projectId, key, kind, repaired },
          'A write to the store that arrived late was found.',
        )
      const left = findings.filter(({ repaired }) => !repaired)
      if (left.length > 0) throw new Error(`${left.length} objects could not be repaired.`)
      const dueAt = await ports.lateWrites.settle(projectId, checkedAt)
      return dueAt === null ? [] : { dueAt }
    },

    // No request waits for it. The log and `quoin verify` report remaining differences.
    faultsOf: () => [],
  }

  async function siteKeys(projectId: ProjectId): Promise<readonly string[]> {
    const records = await ports.liveState.allObjects(projectId)
    return records
      .filter(({ owner: { kind } }) => kind !== 'page' && kind !== 'redirect')
      .map(({ key }) => key)
  }
}
