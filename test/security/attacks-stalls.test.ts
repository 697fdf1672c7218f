import { expect, test } from 'vitest'
import { startProbedService } from '../support/probed-service.ts'
import { pageBody } from '../support/service.ts'

/*
 * Requests that are crafted to keep the main thread busy, which delays everybody else's. CPU time is measured, because a
 * busy machine delays the thread too; of three attempts the shortest counts, because it also slows it down.
 */

/** Twice what may stall the service on a calm machine. Without its limits each of these took 150 to 2,500 ms. */
const MAX_STALL_MS = 100
const ATTEMPTS = 3

test.runIf(process.platform === 'linux')('no request keeps other requests waiting', async () => {
  const { url, key, longestStall } = await startProbedService()
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const send = async (method: string, path: string, body?: string) => {
    const answer = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) })
    return { status: answer.status, text: await answer.text() }
  }
  const create = async (path: string, body: object) =>
    JSON.parse((await send('POST', path, JSON.stringify(body))).text).data.id as string

  const project = await create('/projects', { name: 'Attacker' })
  const page = await create('/pages', pageBody(project))
  const faq = { type: 'faq', props: { items: Array(11_000).fill({ question: 'Why?', answer: 'Because.' }) } }
  const config = { sections: [faq] }
  const large = await create('/pages', pageBody(project, { slug: 'large', type: 'page', config }))
  const settings = `/projects/${project}/settings`
  const writes = (markdown: string) => [
    'PUT',
    `/pages/${page}`,
    JSON.stringify({ markdown_content: markdown }),
  ]
  const attacks: readonly (readonly [number, ...string[]])[] = [
    [413, 'POST', '/pages', fields(400_000)],
    [413, 'PUT', `/pages/${page}`, fields(400_000)],
    [413, 'PUT', `/v1/pages/${page}`, fields(400_000)],
    [413, 'POST', `/projects/${project}/webhooks`, fields(400_000)],
    [413, 'PUT', settings, `{"site_routes":${fields(250_000, '"/a"')}}`],
    [413, 'PUT', `/v1${settings}`, `{"site_routes":${fields(250_000, '"/a"')}}`],
    [422, 'PUT', settings, `{"site_routes":${fields(10_000, '"a b"')}}`],
    [422, 'PUT', settings, `{"docs_nav":[${Array(1_900).fill(fields(45)).join()}]}`],
    [422, 'PUT', `/pages/${page}`, fields(10_000)],
    [422, 'PUT', `/pages/${page}`, `{"config":[${Array(99_000).fill('12345678901234567890').join()}]}`],
    [200, ...writes(`---\na: [${'1,'.repeat(30_000)}]\n---\nText`)],
    [200, ...writes(`---\n${'a: b: c\n'.repeat(7_500)}---\nText`)],
    [200, ...writes(`---\na: &a 1\nb: [${'*a,'.repeat(20_000)}]\n---\nText`)],
    [200, 'PUT', `/pages/${large}`, JSON.stringify({ config: { sections: [{ ...faq, id: 'again' }] } })],
    [200, 'GET', `/pages/${large}?format=markdown`],
  ]
  const stalls: object[] = []
  for (const [expected, method = '', path = '', body] of attacks) {
    const times: number[] = []
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await longestStall()
      const { status, text } = await send(method, path, body)
      expect({ path, status, text: text.slice(0, 200) }).toMatchObject({ status: expected })
      times.push(await longestStall())
    }
    if (Math.min(...times) > MAX_STALL_MS) stalls.push({ path, body: body?.slice(0, 40), times })
  }
  expect(stalls).toEqual([])
})

function fields(count: number, value = '0'): string {
  return `{${Array.from({ length: count }, (_, i) => `"a${i}":${value}`).join()}}`
}
