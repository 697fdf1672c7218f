import { expect, test } from 'vitest'
import { startCommand } from '../support/command.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const SINGLE = 20
const MANY = 10

/** Starts a server on a data folder. */
async function serve(data: string, key: string) {
  const server = startCommand(['serve', '--data', data, '--port', '0', '--allow-http', 'true'])
  const [, url = ''] = await server.line(/ready at (\S+)\n/)
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  return { server, call }
}

test.runIf(LONG_FORM)(
  'a server that is stopped during 20 publishes and a job answers them, exits with 0, and finishes the job after its next start',
  async () => {
    const data = await temporaryFolder()
    const created = await startCommand([
      'keys',
      'create',
      '--name',
      'x',
      '--plan',
      'enterprise',
      '--data',
      data,
      '--json',
    ]).ended
    const { key } = JSON.parse(created.out)
    const before = await serve(data, key)
    const project = (await before.call('POST', '/projects', { name: 'Site' })).body.data.id
    const pages = await Promise.all(
      Array.from({ length: SINGLE + MANY + 1 }, async (_, i) => {
        const page = {
          project_id: project,
          title: `Page ${i}`,
          slug: `page-${i}`,
          subroute: '',
          type: 'article',
        }
        return (await before.call('POST', '/pages', page)).body.data.id as string
      }),
    )
    const single = pages.slice(0, SINGLE)
    const many = pages.slice(SINGLE, -1)
    // Start a renderer first: each publish has 12 s, and other tests slow the start down.
    const warm = await before.call('POST', `/pages/${pages.at(-1)}/publish`)
    expect(warm.status).toBe(200)
    const { body } = await before.call('POST', `/projects/${project}/publish`, { pages: many })
    const publishing = single.map((id) => before.call('POST', `/pages/${id}/publish`))
    await Promise.race(publishing)
    before.server.kill('SIGTERM')
    const answers = await Promise.all(publishing)
    const { code, err } = await before.server.ended
    // After 25 s the server would exit with 1.
    expect(code).toBe(0)
    const live = answers.filter(({ status }) => status === 200)
    // On a very busy machine some publishes time out, which the log reports.
    if (!err.includes('exceeded its deadline of 12 s')) expect(live).toHaveLength(SINGLE)

    const after = await serve(data, key)
    await expect
      .poll(async () => (await after.call('GET', `/jobs/${body.data.id}`)).body.data)
      .toMatchObject({ status: 'succeeded', done: MANY, failed: [] })
    const { meta } = (await after.call('GET', `/pages?project_id=${project}&status=published`)).body
    expect(meta.total).toBe(live.length + many.length + 1)
    after.server.kill('SIGTERM')
    expect((await after.server.ended).code).toBe(0)
  },
)

test('a signal to stop is heeded from the line on that says the service is ready', async () => {
  const server = startCommand(['serve', '--data', await temporaryFolder(), '--port', '0'])
  await server.line(/ready at/)
  server.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
})
