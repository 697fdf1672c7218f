import { describe, expect, test } from 'vitest'
import { createMetrics, type QueueStatus } from '../../src/metrics/metrics.ts'
import { parseMetrics } from '../support/prometheus.ts'

function newMetrics(queue: () => Promise<readonly QueueStatus[]> = async () => []) {
  const metrics = createMetrics({ version: '1.2.3"\\\n', queue })
  const sampleOf = async (family: string, labels: Readonly<Record<string, string>> = {}, sample = family) =>
    parseMetrics(await metrics.text())
      .get(family)
      ?.samples.find(
        (one) =>
          one.name === sample && Object.entries(labels).every(([name, value]) => one.labels[name] === value),
      )?.value
  return { metrics, sampleOf }
}

describe('the metrics of a service', () => {
  test('are what Prometheus reads, also when nothing has happened and when a label is hostile', async () => {
    const { metrics } = newMetrics()
    parseMetrics(await metrics.text())
    metrics.requestAnswered({ route: '/a"\n\\', method: 'GET', status: 200, seconds: 0.2 })
    metrics.storeCalled('put"', 1, true)
    parseMetrics(await metrics.text())
  })

  test('count requests by route, method and status, and time them by route', async () => {
    const { metrics, sampleOf } = newMetrics()
    const request = { route: '/pages/:id', method: 'GET', status: 200, seconds: 0.2 }
    for (const status of [200, 200, 404]) metrics.requestAnswered({ ...request, status })
    expect(await sampleOf('quoin_http_requests_total', { route: '/pages/:id', status: '200' })).toBe(2)
    const duration = 'quoin_http_request_duration_seconds'
    expect(await sampleOf(duration, {}, `${duration}_count`)).toBe(3)
    expect(await sampleOf(duration, {}, `${duration}_sum`)).toBeCloseTo(0.6)
  })

  test('have one series for all methods that clients invent', async () => {
    const { metrics, sampleOf } = newMetrics()
    for (let n = 0; n < 1_000; n++)
      metrics.requestAnswered({ route: 'none', method: `X${n}`, status: 404, seconds: 0 })
    expect(await sampleOf('quoin_http_requests_total', { method: 'other' })).toBe(1_000)
    const families = parseMetrics(await metrics.text())
    expect(families.get('quoin_http_requests_total')?.samples).toHaveLength(1)
  })

  test('give phases of a publish in seconds', async () => {
    const { metrics, sampleOf } = newMetrics()
    metrics.batchPublished({ claim: 1, render: 2_000, upload: 30, commit: 0 })
    const family = 'quoin_publish_phase_duration_seconds'
    expect(await sampleOf(family, { phase: 'render' }, `${family}_sum`)).toBe(2)
  })

  test('count failures apart from durations', async () => {
    const { metrics, sampleOf } = newMetrics()
    metrics.rendered('page', 1, false)
    metrics.rendered('page', 1, true)
    metrics.storeCalled('put', 1, true)
    expect(await sampleOf('quoin_render_failures_total', { what: 'page' })).toBe(1)
    expect(await sampleOf('quoin_render_duration_seconds', {}, 'quoin_render_duration_seconds_count')).toBe(2)
    expect(await sampleOf('quoin_store_errors_total', { operation: 'put' })).toBe(1)
  })

  test('show the queue as it is at the time of a scrape, without kinds that are gone', async () => {
    let kinds: readonly QueueStatus[] = [
      { kind: 'delivery', running: 1, due: 2, waiting: 3, oldestDueSeconds: 4 },
    ]
    const { sampleOf } = newMetrics(async () => kinds)
    expect(await sampleOf('quoin_jobs', { kind: 'delivery', state: 'waiting' })).toBe(3)
    expect(await sampleOf('quoin_job_oldest_due_seconds', { kind: 'delivery' })).toBe(4)
    kinds = []
    expect(await sampleOf('quoin_jobs', { kind: 'delivery' })).toBeUndefined()
    expect(await sampleOf('quoin_job_oldest_due_seconds', { kind: 'delivery' })).toBeUndefined()
  })

  test('do not mix when two services run in one process', async () => {
    const [one, other] = [newMetrics(), newMetrics()]
    one.metrics.webhookAttempted('failed')
    one.metrics.requestLimited('burst')
    one.metrics.releaseEnded('live')
    expect(await one.sampleOf('quoin_webhook_tries_total', { outcome: 'failed' })).toBe(1)
    expect(await other.sampleOf('quoin_webhook_tries_total', { outcome: 'failed' })).toBeUndefined()
  })
})
