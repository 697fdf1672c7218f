import type { ProjectId } from '../domain/ids.ts'
import { type Job, RECHECK } from '../domain/job.ts'
import type { JobKind } from '../jobs/job-kind.ts'
import type { PublishLog } from '../publish/queue/lease-holder.ts'
import { type VerifyPorts, verifyProject } from '../publish/recovery/verify.ts'
import { PUBLISH_RETRIES } from './await-release.ts'

export interface RecheckPorts {
  readonly ports: VerifyPorts
  readonly log: PublishLog
}

/**
 * Looks again at what a former leader was writing when it was taken over, and mends what its late writes
 * have done. The payload names the keys of its releases; the site's own files are always looked at.
 *
 * @param ports with a leadership of its own: the publisher of this process is somebody else.
 */
export function createRecheckJob({ ports, log }: RecheckPorts): JobKind {
  return {
    name: RECHECK,
    concurrency: 1,
    ...PUBLISH_RETRIES,

    async run({ projectId, payload }: Job) {
      const only = new Set([...(payload as readonly string[]), ...(await siteKeys(projectId))])
      const findings = await verifyProject(projectId, ports, { only, repair: true, onRead: () => {} })
      for (const { key, kind, repaired } of findings)
        log.error({ project: projectId, key, kind, repaired }, 'A former leader wrote late.')
      const left = findings.filter(({ repaired }) => !repaired)
      if (left.length > 0) throw new Error(`${left.length} objects could not be mended.`)
      return []
    },

    // Nobody asked for it: the log has told, and `quoin verify` does.
    faultsOf: () => [],
  }

  async function siteKeys(projectId: ProjectId): Promise<readonly string[]> {
    const records = await ports.liveState.allObjects(projectId)
    return records
      .filter(({ owner: { kind } }) => kind !== 'page' && kind !== 'redirect')
      .map(({ key }) => key)
  }
}
