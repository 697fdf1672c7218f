import type { Logger } from 'pino'
import type { JobKind } from '../jobs/job-kind.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { ServiceContext } from '../services/context.ts'
import { createPictureJobs, type PictureJobPorts } from '../services/media/picture-job.ts'
import { createDomainCheckJob, type DomainCheckPorts } from '../services/projects/domain-check.ts'
import { createCachePurgeJob } from '../services/publishing/cache-purge-job.ts'
import { createContinuedPublishJob } from '../services/publishing/continued-publish-job.ts'
import { createPublishPagesJob, type PublishPagesPorts } from '../services/publishing/publish-pages-job.ts'
import { createRecheckJob, type RecheckPorts } from '../services/publishing/recheck-job.ts'
import { createRefreshJob, type RefreshPorts } from '../services/publishing/refresh-job.ts'
import { createScheduledPublishJob } from '../services/publishing/scheduled-publish-job.ts'
import { createSearchIndexJob, type SearchJobPorts } from '../services/publishing/search-index-job.ts'
import { createDeliveryJobs, type DeliveryPorts } from '../services/webhooks/delivery-job.ts'
import { send } from '../webhooks/send.ts'
import { openPurger } from './cache-purge.ts'
import type { Config } from './config.ts'

export interface JobKindPorts
  extends ServiceContext,
    PublishPagesPorts,
    RefreshPorts,
    Omit<RecheckPorts['ports'], 'leaseHolder'>,
    SearchJobPorts,
    PictureJobPorts,
    Omit<DomainCheckPorts, 'log'>,
    Omit<DeliveryPorts, 'chance' | 'send' | 'onTry' | 'log'> {
  readonly config: Pick<Config, 'purge'>
  /** Allowed targets of webhook messages. */
  readonly targets: Parameters<typeof send>[1]
  readonly log: Logger
  readonly metrics: Pick<Metrics, 'webhookAttempted' | 'cachePurged'>
}

/** Every kind of job that the queue can hold. */
export function createJobKinds(ports: JobKindPorts): readonly JobKind[] {
  const { config, targets, metrics, newLeaseHolder, log } = ports
  return [
    createPublishPagesJob(ports),
    createScheduledPublishJob(ports),
    createContinuedPublishJob(ports),
    createRecheckJob({ ports: { ...ports, leaseHolder: newLeaseHolder() }, log }),
    createSearchIndexJob(ports),
    ...createPictureJobs(ports),
    createRefreshJob(ports),
    createDomainCheckJob(ports),
    ...createDeliveryJobs({
      ...ports,
      chance: Math.random,
      send: (message, stopping) => send(message, targets, stopping),
      onTry: metrics.webhookAttempted,
    }),
    ...(config.purge === null
      ? []
      : [
          createCachePurgeJob({
            ...ports,
            purge: openPurger(config.purge, targets.resolve),
            repeats: config.purge.service !== 'cloudfront',
            onTry: metrics.cachePurged,
          }),
        ]),
  ]
}
