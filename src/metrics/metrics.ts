import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { MailProblem } from '../domain/mail-problem.ts'
import { PHASES, type PhaseTimes } from '../publish/phases.ts'

/** The service's metrics, for Prometheus. No label names a tenant, so the number of series is bounded. */
export interface Metrics {
  requestAnswered(request: AnsweredRequest): void
  /** A rate limit refused a request. */
  requestLimited(window: string): void
  /** The service closed a connection. @param reason a limit, or what its client did not send or take in time. */
  connectionClosed(reason: string): void
  /** A batch of releases went live. */
  batchPublished(times: PhaseTimes): void
  releaseEnded(state: string): void
  rendered(what: string, seconds: number, failed: boolean): void
  storeCalled(operation: string, seconds: number, failed: boolean): void
  webhookAttempted(outcome: 'delivered' | 'failed'): void
  /** A mail was sent, or given up for a reason. */
  mailEnded(outcome: 'sent' | MailProblem): void
  /** A purge was sent to the CDN. */
  cachePurged(outcome: 'purged' | 'failed'): void
  /** All metrics in the text format of Prometheus. */
  text(): Promise<string>
  readonly contentType: string
}

export interface AnsweredRequest {
  /** The router's pattern, e.g. `/pages/:id`. */
  readonly route: string
  readonly method: string
  readonly status: number
  readonly seconds: number
}

/** The state of the job queue for one kind of job. */
export interface QueueStatus {
  readonly kind: string
  readonly running: number
  /** Jobs that could start now. */
  readonly due: number
  /** Jobs that are scheduled for later. */
  readonly waiting: number
  /** Seconds since the oldest due job could have started; 0 if none is due. */
  readonly oldestDueSeconds: number
}

export interface MetricsPorts {
  readonly version: string
  readonly queue: () => Promise<readonly QueueStatus[]>
}

/** Buckets in seconds, from a request answered from memory to one that waits for a store. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])

export function createMetrics({ version, queue }: MetricsPorts): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: 'quoin_http_requests_total',
    help: 'Answered requests, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers,
  })
  const requestSeconds = new Histogram({
    name: 'quoin_http_request_duration_seconds',
    help: 'Time until the response was sent, by route.',
    labelNames: ['route'],
    buckets: SECONDS,
    registers,
  })
  const limitedRequests = new Counter({
    name: 'quoin_http_limited_requests_total',
    help: 'Requests refused with status 429, by the rate limit window that was full.',
    labelNames: ['window'],
    registers,
  })
  const closedConnections = new Counter({
    name: 'quoin_connections_closed_total',
    help: 'Connections that the service closed: over the limit of all or of an address, with too many waiting requests (pipelining), or whose client did not send its body or take its answer in time.',
    labelNames: ['reason'],
    registers,
  })
  const releases = new Counter({
    name: 'quoin_releases_total',
    help: 'Ended releases, by state: live, failed (refused, nothing changed), reverting (previous files are being restored).',
    labelNames: ['state'],
    registers,
  })
  const phaseSeconds = new Histogram({
    name: 'quoin_publish_phase_duration_seconds',
    help: 'Duration of each phase of a batch of publishes.',
    labelNames: ['phase'],
    buckets: SECONDS,
    registers,
  })
  const renderSeconds = new Histogram({
    name: 'quoin_render_duration_seconds',
    help: 'Duration of rendering, including the wait for a free process, by what was rendered.',
    labelNames: ['what'],
    buckets: SECONDS,
    registers,
  })
  const renderFailures = new Counter({
    name: 'quoin_render_failures_total',
    help: 'Failed renders: over a limit, or the server was too busy.',
    labelNames: ['what'],
    registers,
  })
  const storeSeconds = new Histogram({
    name: 'quoin_store_call_duration_seconds',
    help: 'Duration of calls to the store, including retries, by operation.',
    labelNames: ['operation'],
    buckets: SECONDS,
    registers,
  })
  const storeErrors = new Counter({
    name: 'quoin_store_errors_total',
    help: 'Calls to the store that failed after all retries, by operation.',
    labelNames: ['operation'],
    registers,
  })
  const deliveries = new Counter({
    name: 'quoin_webhook_tries_total',
    help: 'Delivery attempts to webhooks, by outcome.',
    labelNames: ['outcome'],
    registers,
  })
  const mails = new Counter({
    name: 'quoin_mails_total',
    help: 'Mails that were sent, or given up: address_refused, content_refused, server_unreachable, gave_up.',
    labelNames: ['outcome'],
    registers,
  })
  const cachePurges = new Counter({
    name: 'quoin_cache_purges_total',
    help: 'Purges sent to the CDN, by outcome.',
    labelNames: ['outcome'],
    registers,
  })
  const updateQueue = addQueue(registry, queue)
  addProcess(registry, version)

  return {
    contentType: registry.contentType,
    async text() {
      await updateQueue()
      return await registry.metrics()
    },
    requestAnswered({ route, method, status, seconds }) {
      requests.inc({ route, method: METHODS.has(method) ? method : 'other', status: String(status) })
      requestSeconds.observe({ route }, seconds)
    },
    requestLimited: (window) => limitedRequests.inc({ window }),
    connectionClosed: (reason) => closedConnections.inc({ reason }),
    batchPublished(times) {
      for (const phase of PHASES) phaseSeconds.observe({ phase }, times[phase] / 1000)
    },
    releaseEnded: (state) => releases.inc({ state }),
    rendered(what, seconds, failed) {
      renderSeconds.observe({ what }, seconds)
      if (failed) renderFailures.inc({ what })
    },
    storeCalled(operation, seconds, failed) {
      storeSeconds.observe({ operation }, seconds)
      if (failed) storeErrors.inc({ operation })
    },
    webhookAttempted: (outcome) => deliveries.inc({ outcome }),
    mailEnded: (outcome) => mails.inc({ outcome }),
    cachePurged: (outcome) => cachePurges.inc({ outcome }),
  }
}

/**
 * @returns a function that sets both gauges by one query. Call it before each scrape: a `collect` function of one gauge
 *   could not set the other in time, because the registry reads all gauges at once.
 */
function addQueue(registry: Registry, queue: MetricsPorts['queue']): () => Promise<void> {
  const registers = [registry]
  const age = new Gauge({
    name: 'quoin_job_oldest_due_seconds',
    help: 'Seconds since the oldest due job could have started, by kind.',
    labelNames: ['kind'],
    registers,
  })
  const jobs = new Gauge({
    name: 'quoin_jobs',
    help: 'Jobs that have not ended, by kind and state: running, due, waiting (scheduled for later).',
    labelNames: ['kind', 'state'],
    registers,
  })
  return async () => {
    const kinds = await queue()
    jobs.reset()
    age.reset()
    for (const { kind, running, due, waiting, oldestDueSeconds } of kinds) {
      jobs.set({ kind, state: 'running' }, running)
      jobs.set({ kind, state: 'due' }, due)
      jobs.set({ kind, state: 'waiting' }, waiting)
      age.set({ kind }, oldestDueSeconds)
    }
  }
}

/** Process metrics under the standard names that dashboards use. */
function addProcess(registry: Registry, version: string): void {
  const registers = [registry]
  const start = Date.now() / 1000 - process.uptime()
  new Gauge({
    name: 'quoin_build_info',
    help: 'The running version, as a label. The value is always 1.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1)
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'Start time of the process, in seconds since 1970.',
    registers,
  }).set(start)
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of the process.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss())
    },
  })
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time used by the process, in seconds.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1e6)
    },
  })
}
