import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { type Family, parseMetrics } from '../support/prometheus.ts'
import { startService, type TestService } from '../support/service.ts'

const FOLDER = join(PACKAGE_ROOT, 'docs/monitoring')
const { groups } = parse(await readFile(join(FOLDER, 'alerts.yaml'), 'utf8')) as {
  groups: readonly { rules: readonly { alert: string; expr: string; annotations: object }[] }[]
}
const { panels } = JSON.parse(await readFile(join(FOLDER, 'grafana.json'), 'utf8')) as {
  panels: readonly { title: string; targets: readonly { expr: string; legendFormat: string }[] }[]
}

let service: TestService
let families: ReadonlyMap<string, Family>
beforeAll(async () => {
  service = await startService()
  families = parseMetrics((await service.call('GET', '/metrics', undefined, { key: null })).body)
})
afterAll(() => service.close())

/** Series that an expression names and the service does not have. Prometheus itself makes `up`. */
function unknownSeries(expression: string): readonly string[] {
  const names = expression.match(/\b(quoin|process)_\w+/g) ?? []
  return names.filter(
    (name) => !families.has(name) && !families.has(name.replace(/_(bucket|count|sum)$/, '')),
  )
}

const queries = [
  ...groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => [alert, expr] as const)),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
]

describe('the files for Prometheus and Grafana', () => {
  test.each(queries)('%s is about series that the service has', (_, expression) => {
    expect(unknownSeries(expression)).toEqual([])
  })

  test('a misspelt series would be found', () => {
    expect(unknownSeries('rate(quoin_http_request_total[5m])')).toEqual(['quoin_http_request_total'])
  })

  test('each alert says what is wrong and what to do', () => {
    for (const { rules } of groups)
      for (const { annotations } of rules)
        expect(annotations).toEqual({
          summary: expect.stringMatching(/\.$/),
          action: expect.stringMatching(/\.$/),
        })
  })

  test('each series of the service is on the dashboard', () => {
    const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join(' ')
    const own = [...families.keys()].filter((name) => name.startsWith('quoin_'))
    expect(own.filter((name) => !shown.includes(name))).toEqual([])
  })

  test.skipIf(spawnSync('which', ['promtool']).status !== 0)('promtool accepts the rules', () => {
    const checked = spawnSync('promtool', ['check', 'rules', join(FOLDER, 'alerts.yaml')], {
      encoding: 'utf8',
    })
    expect(checked.status, checked.stderr).toBe(0)
  })
})
