import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startServiceProcess } from '../support/service-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const SDK = fileURLToPath(new URL('../support/write-spans.mjs', import.meta.url))

interface Line {
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly status: number
  readonly traceId: string
  readonly spanId: string
  readonly parent?: string
}

test('with an SDK, a publish is a trace of its phases, within the span of the caller', async () => {
  const file = join(await temporaryFolder(), 'spans')
  const { url, keys } = await startServiceProcess({ NODE_OPTIONS: `--import ${SDK}`, SPANS_FILE: file })
  const call = (path: string, body: object, headers = {}) =>
    fetch(url + path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${keys[0]}`, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }).then(async (answer) => ({ headers: answer.headers, data: JSON.parse(await answer.text()).data }))
  const project = (await call('/projects', { name: 'Site' })).data.id
  const page = {
    project_id: project,
    type: 'article',
    subroute: '',
    slug: 'a',
    title: 'A',
    markdown_content: 'a',
  }
  const { id } = (await call('/pages', page)).data
  const caller = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
  const traceparent = `00-${caller.traceId}-${caller.spanId}-01`
  const { headers } = await call(`/pages/${id}/publish`, {}, { traceparent })

  const spans = async (): Promise<readonly Line[]> =>
    (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  await expect
    .poll(async () => (await spans()).map(({ name }) => name))
    .toEqual(expect.arrayContaining(['POST /pages/:id/publish']))
  const trace = (await spans()).filter(({ traceId }) => traceId === caller.traceId)
  const find = (name: string): Line => trace.find((span) => span.name === name) ?? expect.unreachable(name)
  const request = find('POST /pages/:id/publish')
  expect(request).toMatchObject({
    parent: caller.spanId,
    attributes: { 'http.response.status_code': 200, 'quoin.request_id': headers.get('x-request-id') },
  })
  const publish = find('publish')
  expect(publish).toMatchObject({ parent: request.spanId, attributes: { 'quoin.releases': 1 } })
  for (const phase of ['publish prepare', 'publish deploy']) expect(find(phase).parent).toBe(publish.spanId)
  expect(find('render page').parent).toBe(find('publish prepare').spanId)
  expect(find('store put').parent).toBe(find('publish deploy').spanId)
  expect(trace.map(({ status }) => status).filter((status) => status !== 0)).toEqual([])
})
