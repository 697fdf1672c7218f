import { expect, test } from 'vitest'
import { startCommand } from '../support/command.ts'
import { startReceiver } from '../support/receiver.ts'
import { pageBody, startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const BOTH = { QUOIN_WEBHOOK_ALLOW_PRIVATE: 'true' }
const FUTURE = '2099-01-01T00:00:00.000Z'

test('an operator can print the state of an installation and run a queued job immediately', async () => {
  const data = await temporaryFolder()
  const quoin = async (...args: string[]) => {
    const ended = await startCommand([...args, '--data', data]).ended
    expect([ended.code, ended.err]).toEqual([0, ''])
    return ended.out
  }
  const service = await startService({ data, env: BOTH })
  const receiver = await startReceiver((_, response) => void response.writeHead(500).end())
  const project = await service.newProject()
  await service.call('POST', `/projects/${project}/webhooks`, { url: receiver.url })
  const page = (await service.call('POST', '/pages', pageBody(project))).body.data.id
  await service.call('POST', `/pages/${page}/publish`)
  const scheduled = await service.call('POST', `/pages/${page}/publish`, { publish_at: FUTURE })
  await receiver.first(1)
  await expect
    .poll(async () => JSON.parse(await quoin('status', '--json')).webhooks)
    .toEqual({ active: 1, off: 0, failing: 1 })
  const status = JSON.parse(await quoin('status', '--json'))
  expect(status).toMatchObject({
    projects: { active: 1, archived: 0, suspended: 0 },
    pages: { total: 1, live: 1 },
    releases: { waiting: 0, reverting: 0 },
    failures_24h: { jobs: 0, deliveries: 0, mails: 0 },
    mails: { waiting: 0, failed_24h: {} },
  })
  expect(await quoin('status')).toContain('Pages       1, 1 live\n')

  const { id } = scheduled.body.data
  const { jobs, total } = JSON.parse(await quoin('jobs', 'list', '--json'))
  expect(jobs).toHaveLength(total)
  const job = jobs.find((one: { id: string }) => one.id === id)
  expect(job).toMatchObject({
    kind: 'scheduled-publish',
    project_id: project,
    state: 'queued',
    due_at: FUTURE,
  })
  expect(await quoin('jobs', 'list', '--state', 'queued')).toContain(`${id}  scheduled-publish  ${project}`)
  expect(await quoin('jobs', 'retry', id)).toContain(`${id} (scheduled-publish) will run as soon as`)
  await expect.poll(async () => (await service.call('GET', `/jobs/${id}`)).body.data.status).toBe('succeeded')
  for (const command of ['retry', 'cancel'])
    expect(await startCommand(['jobs', command, id, '--data', data]).ended).toMatchObject({
      code: 1,
      err: `quoin: The job ${id} has succeeded.\n`,
    })
  const later = (await service.call('POST', `/pages/${page}/publish`, { publish_at: FUTURE })).body.data.id
  expect(await quoin('jobs', 'cancel', later)).toBe(
    `${later} (scheduled-publish) is cancelled; 1 page did not go live.\n`,
  )
  expect((await service.call('GET', `/jobs/${later}`)).body.data).toMatchObject({
    status: 'failed',
    failed: [{ page_id: page, message: 'Cancelled on request.' }],
  })
  await service.close()
  await receiver.close()
})

test.each([
  [['jobs', 'retry', 'job_aaaaaaaaaaaaaaaa'], 1, 'quoin: There is no job job_aaaaaaaaaaaaaaaa.\n'],
  [['jobs', 'cancel', 'job_aaaaaaaaaaaaaaaa'], 1, 'quoin: There is no job job_aaaaaaaaaaaaaaaa.\n'],
  [['jobs', 'list', '--limit', '0'], 2, 'quoin: --limit: must be a number from 1 to 1000.\n'],
])('%j fails with one line', async (args, code, err) => {
  const data = await temporaryFolder()
  await (await startService({ data })).close()
  expect(await startCommand([...args, '--data', data]).ended).toMatchObject({ code, err })
})

test('quoin webhooks listen verifies and prints the messages that it receives', async () => {
  const service = await startService({ env: BOTH })
  const project = await service.newProject()
  const first = startCommand(['webhooks', 'listen', '--port', '0', '--json'])
  await expect.poll(first.err).toMatch(/Listening at \S+ \(messages are not verified\)\n/)
  const [url = ''] = /http:\S+/.exec(first.err()) ?? []
  const hooks = `/projects/${project}/webhooks`
  const webhook = (await service.call('POST', hooks, { url })).body.data
  await service.call('POST', `${hooks}/${webhook.id}/test`)
  const [, line = ''] = await first.line(/^(.*)\n/)
  expect(JSON.parse(line)).toMatchObject({
    id: expect.stringMatching(/^evt_/),
    verified: false,
    error: null,
    event: { type: 'webhook.test', data: { webhook_id: webhook.id } },
  })
  first.kill('SIGTERM')
  expect((await first.ended).code).toBe(0)

  const { port } = new URL(url)
  const secret = { QUOIN_WEBHOOK_SECRET: webhook.secret }
  const second = startCommand(['webhooks', 'listen', '--port', port], secret)
  await expect.poll(second.err).toContain('Listening at')
  const page = (await service.call('POST', '/pages', pageBody(project))).body.data.id
  await service.call('POST', `/pages/${page}/publish`)
  await second.line(/✓ evt_\w{16} {2}\S+Z {2}page\.published {2}http:\/\/\S+\/a-page\n/)
  const forged = await fetch(url, { method: 'POST', body: '{}', headers: { 'webhook-id': 'evt_1' } })
  expect(forged.status).toBe(401)
  await second.line(/✗ evt_1 {2}The webhook has no webhook-timestamp header\.\n/)
  second.kill('SIGINT')
  expect((await second.ended).code).toBe(0)
  await service.close()
})

test.each([
  [['--port', 'x'], '--port: must be a number from 0 to 65535.'],
  [['--answer', '99'], '--answer: must be a number from 200 to 599.'],
])('quoin webhooks listen %j is wrong usage', async (args, message) => {
  expect(await startCommand(['webhooks', 'listen', ...args]).ended).toMatchObject({
    code: 2,
    err: `quoin: ${message}\n`,
  })
})
