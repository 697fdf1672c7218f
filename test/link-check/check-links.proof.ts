import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { checkLinks } from '../../src/app/link-check.ts'
import { readSiteTexts } from '../../src/content-folder/read-site.ts'
import { checkUrls } from '../../src/link-check/check-urls.ts'
import { foreignLinks } from '../../src/link-check/foreign-links.ts'
import { createResolve } from '../../src/webhooks/resolve.ts'
import { send } from '../../src/webhooks/send.ts'
import { startNameServer } from '../support/name-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** What another site answers, by path. */
const ANSWERS: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  '/ok': (_, response) => response.writeHead(200).end(),
  '/only-get': ({ method }, response) => response.writeHead(method === 'HEAD' ? 405 : 200).end(),
  '/gone': (_, response) => response.writeHead(410).end(),
  '/secret': (_, response) => response.writeHead(403).end(),
  '/broken': (_, response) => response.writeHead(500).end(),
  '/moved': (_, response) => response.writeHead(301, { Location: '/ok' }).end(),
  '/for-now': (_, response) => response.writeHead(302, { Location: '/ok' }).end(),
  '/round': (_, response) => response.writeHead(301, { Location: '/round' }).end(),
  '/silent': () => {},
  '/busy': (_, response) =>
    asked.filter(({ path }) => path === '/busy').length === 1
      ? response.writeHead(429, { 'Retry-After': '1' }).end()
      : response.writeHead(200).end(),
  '/closed': (_, response) => response.writeHead(503, { 'Retry-After': '3600' }).end(),
}

let asked: {
  readonly path: string
  readonly method: string
  readonly agent: string
  readonly open: number
}[] = []
let open = 0
const server = createServer((request, response) => {
  open += 1
  response.on('close', () => {
    open -= 1
  })
  const path = request.url ?? ''
  asked.push({ path, method: request.method ?? '', agent: request.headers['user-agent'] ?? '', open })
  const answer = ANSWERS[path]
  if (answer === undefined) response.writeHead(404).end()
  else answer(request, response)
})
let site = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  asked = []
})

async function check(paths: readonly string[], more: Partial<Parameters<typeof checkLinks>[0]> = {}) {
  const result = await checkLinks({
    urls: paths.map((path) => `${site}${path}`),
    skip: [],
    cacheFile: join(await temporaryFolder(), 'checked.json'),
    fresh: false,
    allowPrivate: true,
    timeoutMs: 1_000,
    onChecked: () => {},
    ...more,
  })
  const outcomes = [...result.outcomes].map(([url, outcome]) => [url.slice(site.length), outcome.kind])
  return { ...result, kinds: Object.fromEntries(outcomes) }
}

describe('links to other sites', () => {
  test('are alive, moved, dead or unclear, as the site answers', async () => {
    const { kinds, outcomes } = await check(
      Object.keys(ANSWERS)
        .filter((path) => path !== '/closed')
        .concat('/none'),
    )
    expect(kinds).toEqual({
      '/ok': 'ok',
      '/only-get': 'ok',
      '/gone': 'dead',
      '/secret': 'unclear',
      '/broken': 'unclear',
      '/moved': 'moved',
      '/for-now': 'ok',
      '/round': 'dead',
      '/silent': 'unclear',
      '/busy': 'ok',
      '/none': 'dead',
    })
    expect(outcomes.get(`${site}/moved`)).toEqual({ kind: 'moved', to: `${site}/ok` })
    expect(outcomes.get(`${site}/none`)).toEqual({ kind: 'dead', reason: 'It answers 404.' })
  })

  test('are asked one after the other, with HEAD first and under a name of their own', async () => {
    await check(['/ok', '/only-get', '/moved'])
    expect(asked.map(({ path, method }) => `${method} ${path}`)).toEqual([
      'HEAD /ok',
      'HEAD /only-get',
      'GET /only-get',
      'HEAD /moved',
      'HEAD /ok',
    ])
    expect(asked.every(({ agent }) => agent.startsWith('quoin-check-links/'))).toBe(true)
    expect(Math.max(...asked.map(({ open }) => open))).toBe(1)
  })

  test('are left alone when the site asks for a long silence', async () => {
    const { kinds } = await check(['/closed', '/ok'])
    expect(kinds).toEqual({ '/closed': 'unclear', '/ok': 'unclear' })
    expect(asked.map(({ path }) => path)).not.toContain('/ok')
  })

  test('are reported also where their list cannot be stored', async () => {
    const file = join(await temporaryFolder(), 'file')
    await writeFile(file, '')
    const { kinds, cacheFailure } = await check(['/ok', '/gone'], { cacheFile: join(file, 'checked.json') })
    expect(kinds).toEqual({ '/ok': 'ok', '/gone': 'dead' })
    expect(cacheFailure).toContain(file)
  })

  test('are dead when their name has no address, and unclear when the name server does not say', async () => {
    const names = await startNameServer()
    onTestFinished(() => names.close())
    names.zone.set('empty.test', []).set('broken.test', 'broken')
    const resolve = createResolve({ servers: [names.address], isStrict: true })
    const outcomeAt = async (name: string) => {
      const ports = { rules: { allowHttp: true, allowPrivate: true }, resolve }
      const message = { method: 'HEAD', url: new URL(`http://${name}/`), headers: {}, body: '' } as const
      const ask = async () => ({
        location: null,
        ...(await send(message, ports, new AbortController().signal)),
      })
      const asked = { ask, wait: async () => {}, now: () => '2026-01-01T00:00:00.000Z', onChecked: () => {} }
      return (await checkUrls([`http://${name}/`], asked)).get(`http://${name}/`)
    }
    expect(await outcomeAt('none.test')).toEqual({ kind: 'dead', reason: 'none.test has no address.' })
    expect(await outcomeAt('empty.test')).toEqual({ kind: 'dead', reason: 'empty.test has no address.' })
    expect((await outcomeAt('broken.test'))?.kind).toBe('unclear')
  })

  test('are not asked again for a week if they existed, and the others are', async () => {
    const cacheFile = join(await temporaryFolder(), 'folder', 'checked.json')
    await check(['/ok', '/moved', '/gone'], { cacheFile })
    asked = []
    const { kinds, cached } = await check(['/ok', '/moved', '/gone'], { cacheFile })
    expect(kinds).toEqual({ '/ok': 'ok', '/moved': 'moved', '/gone': 'dead' })
    expect(cached).toBe(2)
    expect([...new Set(asked.map(({ path }) => path))]).toEqual(['/gone'])
    asked = []
    await check(['/ok'], { cacheFile, fresh: true })
    expect(asked).toHaveLength(1)
  })

  test('are not asked where site.yaml says so, nor at a private address', async () => {
    const { skipped } = await check(['/ok', '/gone'], { skip: [`${site}/g*`] })
    expect(skipped).toBe(1)
    expect(asked.map(({ path }) => path)).toEqual(['/ok'])
    asked = []
    const { outcomes } = await check(['/ok'], { allowPrivate: false })
    expect([...outcomes.values()]).toEqual([
      { kind: 'dead', reason: expect.stringContaining('private or reserved') },
    ])
    expect(asked).toEqual([])
  })
})

describe('the links of a content folder', () => {
  const linksOf = (files: Readonly<Record<string, string>>) => {
    const { site } = readSiteTexts(new Map(Object.entries(files)))
    return foreignLinks(site, 'site.yaml', 'redirects.yaml').map(({ url, places }) => [
      url,
      places.map(({ file }) => file),
    ])
  }

  test('are those of text, front matter and settings, without code, drafts and names for examples', () => {
    expect(
      linksOf({
        'site.yaml':
          'name: N\nurl: https://own.site.org\nnav_links:\n  - label: A\n    href: https://a.org/nav\n',
        'one.md':
          '# One\n\n[A](https://a.org/x#part), <https://b.org/>, https://c.org/y. (https://d.org/z_(1))\n\n`https://code.org`\n\n```\nhttps://code.org\n```\n\nhttps://example.com https://own.site.org/here https://api.org/{id}\n',
        'two.md': '---\ntitle: Two\n---\n<a href="https://a.org/x">A</a>\n',
        'draft.md': '---\ntitle: D\ndraft: true\n---\nhttps://draft.org\n',
      }),
    ).toEqual([
      ['https://a.org/x', ['one.md', 'two.md']],
      ['https://b.org/', ['one.md']],
      ['https://c.org/y', ['one.md']],
      ['https://d.org/z_(1)', ['one.md']],
      ['https://a.org/nav', ['site.yaml']],
    ])
  })

  test('end where they end: after emoji, with apostrophes, and with references of HTML', () => {
    expect(
      linksOf({
        'site.yaml': 'name: N\n',
        'one.md': [
          '# One\n\n(see https://a.org/🎉🎉/x) and more',
          "[It's](https://b.org/it's), 'https://c.org/y' and <a href='https://d.org/z'>D</a>",
          '<a href="https://e.org/?a=1&amp;b=2">E</a> [F](https://f.org/?a=1&amp;b=2)\n',
        ].join('\n\n'),
      }).map(([url]) => url),
    ).toEqual([
      'https://a.org/%F0%9F%8E%89%F0%9F%8E%89/x',
      "https://b.org/it's",
      'https://c.org/y',
      'https://d.org/z',
      'https://e.org/?a=1&b=2',
      'https://f.org/?a=1&b=2',
    ])
  })
})
