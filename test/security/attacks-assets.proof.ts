import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../src/db/sqlite.ts'
import { startProbedService } from '../support/probed-service.ts'
import { pageBody } from '../support/service.ts'

/*
 * Requests about assets that are crafted to keep the main thread busy, beside a project that has as many of them as it
 * may. CPU time is measured, because a busy machine delays the thread too; the shortest of some attempts counts.
 */

/** Twice what may stall the service on a calm machine. */
const MAX_STALL_MS = 100
const ATTEMPTS = 3
const MANY = 10_000
const BOUNDARY = 'boundary'

test.runIf(process.platform === 'linux')(
  'no request about assets keeps other requests waiting, however many of them there are',
  async () => {
    const { url, key, data, longestStall } = await startProbedService()
    const authorization = { Authorization: `Bearer ${key}` }
    const send = async (
      method: string,
      path: string,
      body?: string,
      type = 'application/json',
    ): Promise<{ readonly status: number; readonly text: string }> => {
      const headers = { ...authorization, ...(body !== undefined && { 'Content-Type': type }) }
      const answer = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) })
      return { status: answer.status, text: await answer.text() }
    }
    const created = (answer: { readonly text: string }): string => JSON.parse(answer.text).data.id
    const project = created(await send('POST', '/projects', JSON.stringify({ name: 'Attacker' })))
    const upload = (name: string, text = name) =>
      send('POST', `/projects/${project}/assets?name=${name}`, text, 'text/plain')
    const asset = created(await upload('named.txt'))
    const fields = { type: 'page', markdown_content: '[A file](/_media/named.txt)' }
    await send('POST', '/pages', JSON.stringify(pageBody(project, fields)))
    await multiply(data)

    const assets = `/projects/${project}/assets`
    const form = (parts: string) =>
      ['POST', assets, `${parts}--${BOUNDARY}--\r\n`, `multipart/form-data; boundary=${BOUNDARY}`] as const
    const part = (headers: string, body = 'x') => `--${BOUNDARY}\r\n${headers}\r\n\r\n${body}\r\n`
    const file = 'Content-Disposition: form-data; name="file"; filename="a.txt"'
    const digests = JSON.stringify({
      digests: Array.from({ length: 1_000 }, (_, i) => String(i).padStart(64, '0')),
    })
    const attacks: readonly (readonly [string, number, string, string, string?, string?])[] = [
      ['a pattern of stars', 4, 'GET', `${assets}?q=${'*'.repeat(5_000)}`],
      ['a pattern that fits late', 2, 'GET', `${assets}?q=${encodeURIComponent('*a'.repeat(40))}`],
      ['a list of all', 2, 'GET', `${assets}?limit=60&offset=9900`],
      ['a list of unused ones', 2, 'GET', `${assets}?unused=true&limit=60`],
      ['the same, in the other surface', 2, 'GET', `/v1${assets}?limit=60&offset=9900`],
      ['the usage of a name that many pages have', 2, 'GET', `/assets/${asset}/usage`],
      ['digests', 2, 'POST', `${assets}/missing`, digests],
      [
        'a form with thousands of fields',
        4,
        ...form(part('Content-Disposition: form-data; name="a"').repeat(3_000)),
      ],
      ['a form with thousands of headers', 2, ...form(part(`${file}\r\n${'a: b\r\n'.repeat(40_000)}`))],
      ['a form with a long header', 4, ...form(part(`${file}\r\na: ${'b'.repeat(250_000)}`))],
      ['a form of boundaries', 4, ...form(`--${BOUNDARY}\r\n`.repeat(20_000))],
      ['a body of nothing', 4, 'POST', `${assets}?name=b.txt`, '', 'text/plain'],
    ]
    const stalls: object[] = []
    for (const [what, expected, method, path, body, type] of attacks) {
      const times: number[] = []
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        await longestStall()
        const { status, text } = await send(method, path, body, type)
        expect({ what, kind: Math.floor(status / 100), text: text.slice(0, 200) }).toMatchObject({
          kind: expected,
        })
        times.push(await longestStall())
      }
      if (Math.min(...times) > MAX_STALL_MS) stalls.push({ what, times })
    }
    expect(stalls).toEqual([])

    // A project that is deleted while uploads to it arrive.
    await longestStall()
    const uploads = Array.from({ length: 40 }, (_, i) => upload(`late-${i}.txt`))
    await send('PUT', `/projects/${project}`, JSON.stringify({ status: 'archived' }))
    const deletion = await send('DELETE', `/projects/${project}`)
    const statuses = (await Promise.all(uploads)).map(({ status }) => status)
    expect(await longestStall()).toBeLessThan(MAX_STALL_MS)
    expect(deletion.status).toBe(200)
    expect(statuses.filter((status) => ![201, 403, 404, 409, 400, 429, 503].includes(status))).toEqual([])
  },
)

/** Gives the project many copies of its asset, all named by a page each. */
async function multiply(data: string): Promise<void> {
  const { writer, reader } = openSqlite(join(data, 'quoin.db'))
  onTestFinished(async () => void (await Promise.all([writer.destroy(), reader.destroy()])))
  const counted = `WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${MANY})`
  await copy('assets', {
    id: "printf('c%015d', n)",
    name: "printf('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab%d.txt', n)",
  })
  await copy('pages', { id: "printf('c%015d', n)", slug: "printf('copy-%d', n)" })

  async function copy(table: string, changed: Readonly<Record<string, string>>): Promise<void> {
    const columns = Object.keys(await writer(table).first())
    const values = columns.map((column) => changed[column] ?? `one.${column}`)
    await writer.raw(
      `INSERT INTO ${table} (${columns.join(', ')}) ${counted}
        SELECT ${values.join(', ')} FROM counted, (SELECT * FROM ${table} LIMIT 1) AS one`,
    )
  }
}
