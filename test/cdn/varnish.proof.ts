import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

/* A real HTTP cache, with the configuration of the documentation. */

const VARNISH = '/usr/sbin/varnishd'
const isInstalled = existsSync(VARNISH) && process.getuid?.() === 0 && hasXkey()
if (!isInstalled)
  console.log('Varnish with xkey is not installed, or this is not root; tests with a real cache are skipped.')

/** Polls of a page within a second, at their interval. A busy machine makes each take longer, and fails none. */
const POLL_MS = 20
const POLLS = 50
const ROUNDS = 10
/**
 * Rounds in which an answer of the former release may have been on its way to the cache during the purge. The cache
 * keeps it until the second purge, half a minute later.
 */
const LATE_ROUNDS = 2
/** Polls that reach beyond the second purge. */
const MAX_POLLS = 5000
const VISITORS = 4

function hasXkey(): boolean {
  try {
    return execFileSync('find', ['/usr/lib', '-name', 'libvmod_xkey.so']).length > 0
  } catch {
    return false
  }
}

describe.skipIf(!isInstalled)('visitors behind Varnish', () => {
  let service: TestService
  let varnish: ChildProcess
  let cache: string
  let folder: string
  let project: string
  let page: string

  beforeAll(async () => {
    const port = await freePort()
    cache = `http://127.0.0.1:${port}`
    service = await startService({
      env: {
        QUOIN_PURGE_URL: `${cache}/_purge`,
        QUOIN_PURGE_TOKEN: 'CHANGE-ME',
        QUOIN_CONTENT_URL: `${cache}/public`,
      },
    })
    folder = mkdtempSync(join(tmpdir(), 'quoin-varnish-'))
    const [, vcl = expect.unreachable()] =
      /```vcl\n(vcl 4\.1;[\s\S]*?)```/.exec(readFileSync('docs/CDN.md', 'utf8')) ?? []
    const file = join(folder, 'quoin.vcl')
    writeFileSync(file, vcl.replace('"8080"', `"${new URL(service.url).port}"`))
    varnish = spawn(
      VARNISH,
      [
        '-F',
        '-j',
        'none',
        '-n',
        join(folder, 'work'),
        '-a',
        `127.0.0.1:${port}`,
        '-f',
        file,
        '-s',
        'malloc,64m',
      ],
      { stdio: 'ignore' },
    )
    const isUp = () =>
      fetch(`${cache}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      )
    while (!(await isUp())) await pause(100)
    project = await service.newProject()
    page = await newPage('guide')
    await publish(page)
  }, 90_000)
  afterAll(async () => {
    varnish.kill()
    if (varnish.exitCode === null) await once(varnish, 'exit')
    await service?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const newPage = async (slug: string) =>
    (await service.call('POST', '/pages', pageBody(project, { slug, type: 'page' }))).body.data.id as string
  /** A busy machine may publish after the answer, 202. */
  const publish = async (id: string) =>
    expect([200, 202]).toContain((await service.call('POST', `/pages/${id}/publish`)).status)
  const visit = (path: string) => fetch(`${cache}/public/${project}${path}`)
  const textOf = async (path: string) => (await visit(path)).text()
  const assetsOf = (html: string) => [...new Set(html.match(/_assets\/[\w.-]+/g) ?? [])]

  /** The number of polls until a visitor sees it. */
  async function pollsUntil(path: string, isSeen: (answer: Response, text: string) => boolean) {
    for (let polls = 1; polls <= MAX_POLLS; polls++) {
      const answer = await visit(path)
      if (isSeen(answer, await answer.text())) return polls
      await pause(POLL_MS)
    }
    return Number.POSITIVE_INFINITY
  }

  test('get pages and assets from the cache, without its tags', async () => {
    const html = await textOf('/guide/')
    for (const path of ['/guide/', ...assetsOf(html).map((asset) => `/${asset}`)]) {
      // Two ids: this request, and the one that stored the answer. The purge of the first publish may come between two visits.
      const isHit = ({ headers }: Response) => /^\d+ \d+$/.test(headers.get('x-varnish') ?? '')
      expect(await pollsUntil(path, isHit)).toBeLessThan(MAX_POLLS)
      const { headers, status } = await visit(path)
      expect(status).toBe(200)
      expect(headers.get('surrogate-key')).toBe(null)
    }
  })

  test('see each new page at once, never an asset that is missing, and never files of two releases', async () => {
    const seen = new Set<string>()
    const missing: string[] = []
    let isOver = false
    const visitors = Array.from({ length: VISITORS }, async () => {
      while (!isOver) {
        const html = await textOf('/guide/')
        seen.add(html)
        for (const asset of assetsOf(html)) {
          const { status } = await visit(`/${asset}`)
          if (status !== 200) missing.push(`${status} ${asset}`)
        }
        await pause(5)
      }
    })
    const published = new Set([await textOf('/guide/')])
    const polls: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      // The style of the site, and so the name of its file, is another one in each release.
      await service.call('PUT', `/projects/${project}/settings`, {
        custom_css: `.round { order: ${round} }`,
      })
      await service.call('PUT', `/pages/${page}`, { markdown_content: `Round ${round}.` })
      await publish(page)
      polls.push(await pollsUntil('/guide/', (_, html) => html.includes(`Round ${round}.`)))
      published.add(await (await fetch(`${service.url}/public/${project}/guide/`)).text())
    }
    isOver = true
    await Promise.all(visitors)
    console.log(`Polls until a new page was seen, ${POLL_MS} ms apart: ${polls.join(' ')}.`)
    expect(polls.filter((count) => count >= POLLS).length).toBeLessThanOrEqual(LATE_ROUNDS)
    expect(Math.max(...polls)).toBeLessThan(Number.POSITIVE_INFINITY)
    expect(missing).toEqual([])
    expect([...seen].filter((html) => !published.has(html))).toEqual([])
    // Files of every release can still be read, also from the service itself.
    const assets = [...published].flatMap(assetsOf)
    expect(new Set(assets).size).toBeGreaterThan(ROUNDS)
    for (const asset of new Set(assets))
      expect((await fetch(`${service.url}/public/${project}/${asset}`)).status).toBe(200)
  }, 240_000)

  test('see a page where the cache answered 404, and 404 where it had a page', async () => {
    expect((await visit('/later/')).status).toBe(404)
    const later = await newPage('later')
    await publish(later)
    expect(await pollsUntil('/later/', ({ status }) => status === 200)).toBeLessThan(MAX_POLLS)
    await service.call('POST', `/pages/${later}/unpublish`)
    expect(await pollsUntil('/later/', ({ status }) => status === 404)).toBeLessThan(MAX_POLLS)
  })

  test('keep what a publish does not change in the cache', async () => {
    const other = await newPage('other')
    await publish(other)
    const isHit = async () => /^\d+ \d+$/.test((await visit('/guide/')).headers.get('x-varnish') ?? '')
    await textOf('/guide/')
    await service.call('PUT', `/pages/${other}`, { markdown_content: 'Changed.' })
    await publish(other)
    expect(await pollsUntil('/other/', (_, html) => html.includes('Changed.'))).toBeLessThan(MAX_POLLS)
    expect(await isHit()).toBe(true)
  })

  test('cannot purge the cache', async () => {
    const answer = await fetch(`${cache}/_purge`, { method: 'POST', headers: { 'Surrogate-Key': project } })
    expect(answer.status).toBe(403)
  })
})
