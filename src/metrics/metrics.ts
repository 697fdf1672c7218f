import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { PHASES, type PhaseTimes } from '../publish/phases.ts'

/** What the service counts and measures, for Prometheus. No label is a tenant's: their number is bounded by the code. */
export interface Metrics {
  requestAnswered(request: AnsweredRequest): void
  /** A request was refused by a limit. */
  requestLimited(window: string): void
  /** Releases that went live together. */
  batchPublished(times: PhaseTimes): void
  releaseEnded(state: string): void
  rendered(what: string, seconds: number, failed: boolean): void
  storeCalled(operation: string, seconds: number, failed: boolean): void
  webhookAttempted(outcome: 'delivered' | 'failed'): void
  /** Everything in the text format of Prometheus. */
  text(): Promise<string>
  readonly contentType: string
}

export interface AnsweredRequest {
  /** As the router has it, e.g. `/pages/:id`. */
  readonly route: string
  readonly method: string
  readonly status: number
  readonly seconds: number
}

/** How the queue stands, by kind. */
export interface QueueStatus {
  readonly kind: string
  readonly running: number
  /** Those that could begin now. */
  readonly due: number
  /** Those that wait for their time. */
  readonly waiting: number
  /** Seconds since the oldest of them could have begun; 0 when none is due. */
  readonly oldestDueSeconds: number
}

export interface MetricsPorts {
  readonly version: string
  readonly queue: () => Promise<readonly QueueStatus[]>
}

/** Seconds; from a request out of memory to one that waits for a store. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])

export function createMetrics({ version, queue }: MetricsPorts): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: 'quoin_http_requests_total',
    help: 'Requests answered, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers,
  })
  const requestSeconds = new Histogram({
    name: 'quoin_http_request_duration_seconds',
    help: 'Time until an answer was sent, by route.',
    labelNames: ['route'],
    buckets: SECONDS,
    registers,
  })
  const limitedRequests = new Counter({
    name: 'quoin_http_limited_requests_total',
    help: 'Requests refused with 429, by the window that was full.',
    labelNames: ['window'],
    registers,
  })
  const releases = new Counter({
    name: 'quoin_releases_total',
    help: 'Releases that ended, by how: live, failed (refused, or nothing touched), reverting (being put back).',
    labelNames: ['state'],
    registers,
  })
  const phaseSeconds = new Histogram({
    name: 'quoin_publish_phase_duration_seconds',
    help: 'Time that each phase of a batch of publishes took.',
    labelNames: ['phase'],
    buckets: SECONDS,
    registers,
  })
  const renderSeconds = new Histogram({
    name: 'quoin_render_duration_seconds',
    help: 'Time that rendering took, waiting for a free process included, by what was rendered.',
    labelNames: ['what'],
    buckets: SECONDS,
    registers,
  })
  const renderFailures = new Counter({
    name: 'quoin_render_failures_total',
    help: 'Renders that failed: too costly, or no time for them.',
    labelNames: ['what'],
    registers,
  })
  const storeSeconds = new Histogram({
    name: 'quoin_store_call_duration_seconds',
    help: 'Time that calls to the store took, other tries included, by operation.',
    labelNames: ['operation'],
    buckets: SECONDS,
    registers,
  })
  const storeErrors = new Counter({
    name: 'quoin_store_errors_total',
    help: 'Calls to the store that failed for good, by operation.',
    labelNames: ['operation'],
    registers,
  })
  const deliveries = new Counter({
    name: 'quoin_webhook_tries_total',
    help: 'Requests to webhooks, by what became of them.',
    labelNames: ['outcome'],
    registers,
  })
  addQueue(registry, queue)
  addProcess(registry, version)

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    requestAnswered({ route, method, status, seconds }) {
      requests.inc({ route, method: METHODS.has(method) ? method : 'other', status: String(status) })
      requestSeconds.observe({ route }, seconds)
    },
    requestLimited: (window) => limitedRequests.inc({ window }),
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
  }
}

/** Asked for once for each reading, by the gauge that comes first. */
function addQueue(registry: Registry, queue: MetricsPorts['queue']): void {
  const registers = [registry]
  const age = new Gauge({
    name: 'quoin_job_oldest_due_seconds',
    help: 'How long the oldest job that could have begun has been waiting, by kind.',
    labelNames: ['kind'],
    registers,
  })
  new Gauge({
    name: 'quoin_jobs',
    help: 'Jobs that have not ended, by kind and state: running, due, waiting (for their time).',
    labelNames: ['kind', 'state'],
    registers,
    async collect() {
      const standings = await queue()
      this.reset()
      age.reset()
      for (const { kind, running, due, waiting, oldestDueSeconds } of standings) {
        this.set({ kind, state: 'running' }, running)
        this.set({ kind, state: 'due' }, due)
        this.set({ kind, state: 'waiting' }, waiting)
        age.set({ kind }, oldestDueSeconds)
      }
    },
  })
}

/** What is the same of every process, under the names that dashboards know. */
function addProcess(registry: Registry, version: string): void {
  const registers = [registry]
  const began = Date.now() / 1000 - process.uptime()
  new Gauge({
    name: 'quoin_build_info',
    help: 'The version that runs; always 1.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1)
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'Start of the process, in seconds since 1970.',
    registers,
  }).set(began)
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
    help: 'CPU time that the process has used.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1e6)
    },
  })
}
