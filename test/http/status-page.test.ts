import { expect, onTestFinished, test } from 'vitest'
import { sendRaw } from '../support/raw-request.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

const PAGE = '/internal/status'

async function start(): Promise<TestService> {
  const service = await startService()
  onTestFinished(() => service.close())
  return service
}

test('the operator sees version, processes, contents, queue and what doctor finds, as a page and as JSON', async () => {
  const service = await start()
  const project = await service.newProject('<b>Secret</b>')
  const { id } = (await service.call('POST', '/pages', pageBody(project))).body.data
  await service.call('POST', `/pages/${id}/publish`)

  const answer = await sendRaw(service.url, PAGE, { headers: { Accept: 'application/json' } })
  expect(answer.status).toBe(200)
  const status = JSON.parse(answer.body)
  expect(status).toMatchObject({
    node: process.versions.node,
    role: 'all',
    counts: { projects: { active: 1 }, pages: { total: 1, live: 1 }, releases: { reverting: 0 } },
  })
  expect(status.processes).toEqual([{ role: 'all', version: status.version }])
  const checks = status.findings.map(({ check }: { check: string }) => check)
  expect(checks).toEqual(expect.arrayContaining(['settings', 'memory', 'disk', 'processes', 'work']))

  const page = await sendRaw(service.url, PAGE, { headers: { Accept: 'text/html' } })
  expect(page.headers['content-type']).toContain('text/html')
  for (const text of ['<h1>Quoin', 'Node.js', '1, 1 live', 'No work is late'])
    expect(page.body).toContain(text)
  expect(page.body).not.toContain('Secret')
  // Nothing else runs or is loaded, and no page of another site reads it.
  expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
  expect(page.headers['access-control-allow-origin']).toBeUndefined()
  expect(page.headers['cache-control']).toBe('no-store')
})

test.each([
  ['that a proxy passed on', { 'X-Forwarded-For': '192.0.2.1' }],
  ['that a proxy passed on, as the standard says', { Forwarded: 'for=192.0.2.1' }],
  ['under a public name', { Host: 'quoin.example.com' }],
  ['of pages of other sites', { 'Sec-Fetch-Site': 'cross-site' }],
])('it does not exist for requests %s', async (_, headers: Readonly<Record<string, string>>) => {
  const service = await start()
  const { status, body } = await sendRaw(service.url, PAGE, { headers })
  expect([status, JSON.parse(body).message]).toEqual([404, `GET ${PAGE} does not exist.`])
})
