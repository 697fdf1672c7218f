import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { flatPng } from '../support/pictures.ts'
import { startProbedService } from '../support/probed-service.ts'
import { pageBody } from '../support/service.ts'

/*
 * One account that sends the most costly work it can. The main thread is busy for no longer than a request may take, and another
 * account has its turn before the work of the first one is done. CPU time and the order of answers are measured: a busy
 * machine changes neither.
 */

/** CPU time of the main thread without a pause, as in `attacks-stalls.proof.ts`. */
const MAX_STALL_MS = 100
const ATTEMPTS = 3
const BUSY_ATTEMPTS = 20
const BUSY_PAUSE_MS = 2_000
/** Bytes that the service may keep after an attack. */
const MAX_GROWTH = 300 * 2 ** 20

type Answer = { readonly status: number; readonly body: string }

/** The service with one that attacks and one that is there as well. */
async function startAttacked() {
  const service = await startProbedService()
  const otherKey = await service.otherKey()
  const hostile = calling(service.url, service.key)

  /** The least stall of some attempts, since other work of the machine only adds to them. */
  async function stallOf(send: () => Promise<Answer>) {
    let stallMs = Number.POSITIVE_INFINITY
    let answer: Answer = { status: 0, body: '' }
    for (let attempt = 0; attempt < ATTEMPTS && stallMs > MAX_STALL_MS; attempt++) {
      await service.longestStall()
      answer = await taken(send)
      stallMs = Math.min(stallMs, await service.longestStall())
    }
    return { answer, stallMs }
  }

  return { ...service, otherKey, hostile, stallOf }
}

function calling(url: string, key: string) {
  return async (method: string, path: string, body?: object): Promise<Answer> => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(url + path, { method, headers, ...sent })
    return { status: answer.status, body: await answer.text() }
  }
}

/** Sends again while the service says that it is too busy: on a busy machine, texts take longer than a request waits. */
async function taken(send: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await send()
    if (answer.status < 500 || attempt === BUSY_ATTEMPTS) return answer
    await sleep(BUSY_PAUSE_MS)
  }
}

const idIn = ({ body }: Answer): string => JSON.parse(body).data.id

describe.runIf(process.platform === 'linux')('an account that sends the most costly work it can', () => {
  test('does not keep the main thread busy with pages that include a long page two hundred times', async () => {
    const { hostile, stallOf } = await startAttacked()
    const project = idIn(await hostile('POST', '/projects', { name: 'Attacker' }))
    const newPage = async (slug: string, markdown_content: string) =>
      idIn(await hostile('POST', '/pages', pageBody(project, { slug, type: 'docs', markdown_content })))
    const found: object[] = []
    for (const size of [60_000, 400_000]) {
      const source = await newPage(`links-${size}`, '[a](b/c) '.repeat(size / 9))
      expect((await hostile('POST', `/pages/${source}/publish`)).status).toBe(200)
      const page = await newPage(`page-${size}`, `::include{page="/links-${size}"}\n`.repeat(200))
      for (const [method, path] of [
        ['POST', `/pages/${page}/publish?dry_run=true`],
        ['POST', `/pages/${page}/publish`],
        ['GET', `/render/${page}`],
      ] as const) {
        const { answer, stallMs } = await stallOf(() => hostile(method, path))
        // A preview shows the lines that are too many as text. Rendering it may take more than a page may.
        if (method === 'POST') expect(answer.body).toContain('longer than 2 MiB')
        if (stallMs > MAX_STALL_MS) found.push({ size, method, path, stallMs })
      }
    }
    expect(found).toEqual([])
  })

  test('does not keep the main thread busy with variables, and cannot make megabytes gigabytes', async () => {
    const { hostile, stallOf, memory } = await startAttacked()
    const project = idIn(await hostile('POST', '/projects', { name: 'Attacker' }))
    const variables = { a: 'x'.repeat(500) }
    expect((await hostile('PUT', `/projects/${project}/settings`, { variables })).status).toBe(200)
    const found: object[] = []
    for (const [slug, piece] of [
      ['fences', '```\n'],
      ['spans', '``x` '],
      ['values', '{{a}}'],
    ] as const) {
      const markdown_content = `{{ a }}\n\n${piece.repeat(3_000_000 / piece.length)}`
      const created = await hostile(
        'POST',
        '/pages',
        pageBody(project, { slug, type: 'docs', markdown_content }),
      )
      const calm = await memory()
      for (const [method, path] of [
        ['GET', `/render/${idIn(created)}`],
        ['POST', `/pages/${idIn(created)}/publish?dry_run=true`],
      ] as const) {
        const { answer, stallMs } = await stallOf(() => hostile(method, path))
        if (slug === 'values') expect(answer.body).toContain('2 MiB of values')
        const added = (await memory()) - calm
        if (stallMs > MAX_STALL_MS || added > MAX_GROWTH) found.push({ slug, method, added, stallMs })
      }
    }
    expect(found).toEqual([])
  })

  test('does not keep a picture of another account waiting behind its own', async () => {
    const { url, key, otherKey, hostile } = await startAttacked()
    const theirs = calling(url, otherKey)
    const projects = {
      hostile: idIn(await hostile('POST', '/projects', { name: 'Attacker' })),
      other: idIn(await theirs('POST', '/projects', { name: 'Other' })),
    }
    const upload = async (by: 'hostile' | 'other', name: string, body: string | Buffer) => {
      const answer = await fetch(`${url}/projects/${projects[by]}/assets?name=${name}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${by === 'hostile' ? key : otherKey}` },
        body: typeof body === 'string' ? body : new Uint8Array(body),
      })
      return { status: answer.status, body: await answer.text() }
    }
    // The processes are started.
    expect((await upload('other', 'first.png', flatPng(1, 1))).status).toBe(201)
    const ended: string[] = []
    const attacks = DRAWINGS.map(async ([name, drawing]) => {
      const { status, body } = await upload('hostile', `${name}.svg`, drawing)
      ended.push(name)
      return { name, status, says: /The SVG|The picture/.exec(body)?.[0] ?? body.slice(0, 100) }
    })
    const { status } = await upload('other', 'second.png', flatPng(2, 2))
    expect(status).toBe(201)
    // Neither all of them nor most came first.
    expect(ended.length).toBeLessThanOrEqual(DRAWINGS.length / 2)
    expect((await Promise.all(attacks)).filter((answer) => answer.status !== 422)).toEqual([])
  })
})

/** Drawings of 4.9 MB that took a process up to ten seconds each. */
const DRAWINGS: readonly (readonly [string, string])[] = Array.from({ length: 4 }, (_, at) => [
  [`nested-${at}`, nested('<use href="#a"/>')] as const,
  [`references-${at}`, nested(`<g style="${'fill:url(#a);'.repeat(300_000)}"/>`)] as const,
]).flat()

function nested(inner: string): string {
  const depth = 250
  const groups = Array.from({ length: depth }, (_, at) => `<g id="g${at}">`).join('')
  const body = inner.repeat(Math.max(1, Math.floor(4_900_000 / inner.length)))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1">${groups}${body}${'</g>'.repeat(depth)}</svg>`
}
