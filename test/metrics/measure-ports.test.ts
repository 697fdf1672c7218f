import { describe, expect, test } from 'vitest'
import { withRenderMetrics, withStorageMetrics } from '../../src/metrics/measure-ports.ts'
import { createMetrics, type Metrics, type QueueStatus } from '../../src/metrics/metrics.ts'
import { PHASES, type PhaseTimes } from '../../src/publish/phases.ts'
import type { Renderer } from '../../src/renderer/renderer.ts'
import { createMemoryStorage } from '../support/memory-storage.ts'

const QUEUE: QueueStatus = { kind: 'publish_pages', running: 1, due: 2, waiting: 3, oldestDueSeconds: 1.5 }
/** Words that identify a tenant in the calls below. */
const TENANT = /acme|proj_|page_/

interface Series {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

function create(queue: readonly QueueStatus[] = [QUEUE]): Metrics {
  return createMetrics({ version: '1.2.3', queue: async () => queue })
}

/** Records one call of every kind. */
function recordAll(metrics: Metrics): void {
  metrics.requestAnswered({ route: '/pages/:id', method: 'GET', status: 200, seconds: 0.02 })
  metrics.requestLimited('minute')
  metrics.connectionClosed('answer')
  metrics.batchPublished(Object.fromEntries(PHASES.map((phase) => [phase, 40])) as unknown as PhaseTimes)
  metrics.releaseEnded('live')
  metrics.rendered('page', 0.01, true)
  metrics.storeCalled('put', 0.01, true)
  metrics.webhookAttempted('delivered')
}

/** Parses the text format of Prometheus, version 0.0.4. @throws if a line does not follow it. */
function parse(text: string): {
  readonly types: ReadonlyMap<string, string>
  readonly series: readonly Series[]
} {
  const types = new Map<string, string>()
  const helped = new Set<string>()
  const series: Series[] = []
  expect(text.endsWith('\n')).toBe(true)
  for (const line of text.split('\n')) {
    if (line === '') continue
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) ([a-z_]+) (.+)$/.exec(line) ?? []
    if (keyword === 'HELP') helped.add(name)
    else if (keyword === 'TYPE') types.set(name, rest)
    else series.push(parseSeries(line))
  }
  expect(new Set(types.keys())).toEqual(helped)
  for (const { name } of series) expect(types.has(familyOf(name, types)), name).toBe(true)
  return { types, series }
}

function parseSeries(line: string): Series {
  const match = /^([a-z_]+)(?:\{((?:[a-z]+="(?:[^"\\\n]|\\.)*",?)*)\})? (\S+)$/.exec(line)
  if (match === null) throw new Error(`This line is not in the text format: ${line}`)
  const [, name = '', labels = '', value] = match
  const pairs = [...labels.matchAll(/([a-z]+)="((?:[^"\\\n]|\\.)*)"/g)].map(([, key, text]) => [key, text])
  expect(Number(value)).not.toBeNaN()
  return { name, labels: Object.fromEntries(pairs), value: Number(value) }
}

function familyOf(name: string, types: ReadonlyMap<string, string>): string {
  return types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '')
}

async function seriesValue(metrics: Metrics, name: string, labels: Readonly<Record<string, string>> = {}) {
  const { series } = parse(await metrics.text())
  return series.find(
    (one) => one.name === name && Object.entries(labels).every(([label, text]) => one.labels[label] === text),
  )?.value
}

describe('the text of the metrics', () => {
  test('has the names, types and labels that dashboards rely on', async () => {
    const metrics = create()
    recordAll(metrics)
    const { types, series } = parse(await metrics.text())
    const labelled = [...types].map(([name, type]) => {
      const own = series.filter((one) => familyOf(one.name, types) === name)
      const labels = new Set(own.flatMap((one) => Object.keys(one.labels)).filter((label) => label !== 'le'))
      return `${name} ${type} ${[...labels].sort().join(',')}`.trim()
    })
    expect(labelled.sort()).toEqual([
      'process_cpu_seconds_total counter',
      'process_resident_memory_bytes gauge',
      'process_start_time_seconds gauge',
      'quoin_build_info gauge version',
      'quoin_cache_purges_total counter',
      'quoin_connections_closed_total counter reason',
      'quoin_http_limited_requests_total counter window',
      'quoin_http_request_duration_seconds histogram route',
      'quoin_http_requests_total counter method,route,status',
      'quoin_job_oldest_due_seconds gauge kind',
      'quoin_jobs gauge kind,state',
      'quoin_mails_total counter',
      'quoin_publish_phase_duration_seconds histogram phase',
      'quoin_releases_total counter state',
      'quoin_render_duration_seconds histogram what',
      'quoin_render_failures_total counter what',
      'quoin_store_call_duration_seconds histogram operation',
      'quoin_store_errors_total counter operation',
      'quoin_webhook_tries_total counter outcome',
    ])
  })
})

describe('measured ports', () => {
  test('no series names a project, a page or a key', async () => {
    const metrics = create()
    const storage = withStorageMetrics(createMemoryStorage(), metrics)
    const key = 'proj_acme/page_1/index.html'
    await storage.put({ key, body: Buffer.from('x') })
    await storage.get(key)
    await storage.list('proj_acme/')
    await storage.delete([key])
    const renderer = withRenderMetrics(
      { renderPage: failing, renderSite: failing } as unknown as Renderer,
      metrics,
    )
    await expect(renderer.renderPage({ project: 'proj_acme' } as never)).rejects.toThrow('page_1')
    recordAll(metrics)

    const text = await metrics.text()
    const { series } = parse(text)
    expect(text).not.toMatch(TENANT)
    expect(series.filter(({ name }) => name === 'quoin_store_call_duration_seconds_count')).toHaveLength(4)
  })

  test('a failed call counts as a failure, and its error passes through', async () => {
    const metrics = create()
    const renderer = withRenderMetrics({ renderPage: failing } as unknown as Renderer, metrics)
    await expect(renderer.renderPage({} as never)).rejects.toThrow('page_1 of acme failed')
    expect(await seriesValue(metrics, 'quoin_render_failures_total', { what: 'page' })).toBe(1)
    expect(await seriesValue(metrics, 'quoin_render_duration_seconds_count', { what: 'page' })).toBe(1)
  })
})

async function failing(): Promise<never> {
  throw new Error('page_1 of acme failed')
}
