import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { PACKAGE_ROOT } from '../../../src/platform/package-paths.ts'
import { startCommand } from '../../support/command.ts'
import { flatPng } from '../../support/pictures.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const quoin = (...args: string[]) => startCommand(args).ended
const PNG = await flatPng(8, 8)

/** A former site. @param pages answers by path: bytes, a status, or the path of a redirect. */
async function formerSite(pages: Readonly<Record<string, Uint8Array | number | string>>) {
  const asked: string[] = []
  const server = createServer(({ url = '' }, answer) => {
    asked.push(url)
    const page = pages[url] ?? 404
    if (typeof page === 'string') answer.writeHead(302, { Location: page }).end()
    else if (typeof page === 'number')
      answer.writeHead(page, { 'Content-Type': 'text/html' }).end('<p>Not here.</p>')
    else answer.writeHead(200, { 'Content-Type': 'image/png' }).end(page)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

/** An export of Ghost with these pictures in its one post. */
async function ghostWith(...pictures: readonly string[]) {
  const folder = await temporaryFolder()
  const html = pictures.map((path) => `<p><img src="__GHOST_URL__/${path}" alt="a"></p>`).join('')
  const post = { id: '1', title: 'A', slug: 'a', html, status: 'published', type: 'post' }
  await writeFile(join(folder, 'export.json'), JSON.stringify({ db: [{ data: { posts: [post] } }] }))
  return { from: join(folder, 'export.json'), folder }
}

const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort()

test('pictures of a former site come along with --fetch, and a repeated run loads those that are missing', async () => {
  const pages: Record<string, Uint8Array | number | string> = {
    '/content/images/one.png': PNG,
    '/content/images/two.png': '/elsewhere/two.png',
    '/elsewhere/two.png': PNG,
    '/content/images/page.png': 200,
    '/content/images/gone.png': 404,
  }
  const site = await formerSite(pages)
  const names = ['one', 'two', 'page', 'gone'].map((name) => `content/images/${name}.png`)
  const { from, folder } = await ghostWith(...names)
  const files = join(folder, 'files')
  const run = (out: string) =>
    quoin(
      ...['convert', from, '--out', join(folder, out), '--site', site.url],
      ...['--fetch', files, '--allow-private', '--json'],
    )
  const first = await run('first')
  expect(first.code, first.err).toBe(0)
  const { losses, files: taken } = JSON.parse(first.out)
  expect(taken).toBe(2)
  expect(losses.map(({ what }: { what: string }) => what)).toEqual([
    expect.stringMatching(/^2 files are loaded from http:\/\/127\.0\.0\.1:\d+, such as content\/images\//),
    expect.stringMatching(
      /^2 files were not loaded, such as content\/images\/\w+\.png: (?:A page was|The site answers 404)/,
    ),
  ])
  expect(await filesIn(files)).toEqual(['one.png', 'two.png'])
  expect(await readFile(join(folder, 'first/static/content/images/two.png'))).toEqual(Buffer.from(PNG))

  pages['/content/images/gone.png'] = PNG
  site.asked.length = 0
  const second = await run('second')
  expect(JSON.parse(second.out).files).toBe(3)
  expect(site.asked.sort()).toEqual(['/content/images/gone.png', '/content/images/page.png'])
})

test('a new folder with files is refused before anything is loaded', async () => {
  const site = await formerSite({ '/content/images/one.png': PNG })
  const { from, folder } = await ghostWith('content/images/one.png')
  const ended = await quoin(
    ...['convert', from, '--out', folder, '--site', site.url],
    ...['--fetch', await temporaryFolder(), '--allow-private'],
  )
  expect(ended).toMatchObject({ code: 1, err: expect.stringContaining('is not empty') })
  expect(site.asked).toEqual([])
})

test('a folder for files inside of the new folder is refused at the first run', async () => {
  const site = await formerSite({ '/content/images/one.png': PNG })
  const { from, folder } = await ghostWith('content/images/one.png')
  const out = join(folder, 'new')
  for (const files of [out, join(out, 'files'), `${out}/../new/files`]) {
    const ended = await quoin(
      ...['convert', from, '--out', out, '--site', site.url],
      ...['--fetch', files, '--allow-private'],
    )
    expect(ended).toMatchObject({
      code: 2,
      err: expect.stringContaining('Name a folder outside of --out'),
    })
  }
  expect(site.asked).toEqual([])
  expect(await readdir(folder)).toEqual(['export.json'])
})

test('an address of a private network is not asked without --allow-private', async () => {
  const site = await formerSite({ '/content/images/one.png': PNG })
  const { from, folder } = await ghostWith('content/images/one.png')
  const ended = await quoin(
    ...['convert', from, '--out', join(folder, 'new'), '--site', site.url],
    ...['--fetch', join(folder, 'files'), '--json'],
  )
  expect(site.asked).toEqual([])
  expect(JSON.parse(ended.out).losses.at(-1).what).toContain('private or reserved')
})

test('a file never leaves the folder, whatever its post names', async () => {
  const site = await formerSite({})
  const { from, folder } = await ghostWith(
    'content/images/../../../../up.png',
    'content/images/%2e%2e/up.png',
    'content/images//up.png',
  )
  await quoin(
    ...['convert', from, '--out', join(folder, 'new'), '--site', site.url],
    ...['--fetch', join(folder, 'files'), '--allow-private', '--json'],
  )
  expect(site.asked).toEqual([])
})

test.each([
  ['medium', '1-hedge.jpeg', 'a-hedge-in-ten-steps-4f3c2b1a0d9e.md'],
  ['substack', '61ee8dd3_2880x1620.jpeg', 'p/why-hedges.md'],
])('pictures that %s holds are taken from the folder of an earlier run', async (service, name, page) => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'files/images'), { recursive: true })
  for (const each of [name, 'one.png', 'two.png']) await writeFile(join(folder, 'files/images', each), PNG)
  const from = join(PACKAGE_ROOT, 'fixtures/exports', service, 'from')
  const args = ['convert', from, '--out', join(folder, 'new'), '--fetch', join(folder, 'files'), '--json']
  const ended = await quoin(...args)
  expect(ended.code, ended.err).toBe(0)
  expect(await readFile(join(folder, 'new', page), 'utf8')).toContain(`(/images/${name}`)
  expect(await readFile(join(folder, 'new/static/images', name))).toEqual(Buffer.from(PNG))
  const checked = await quoin(...args, '--check')
  expect(checked.code, checked.out).toBe(0)
})

test.each([
  [['--site', 'blog'], '--site is the address of the site'],
  [['--site', 'https://a:b@blog.example.com'], '--site is the address of the site'],
])('%j is refused', async (flags, message) => {
  const { from, folder } = await ghostWith('a.png')
  const ended = await quoin('convert', from, '--out', join(folder, 'new'), ...flags)
  expect(ended).toMatchObject({ code: 2, err: expect.stringContaining(message) })
})
