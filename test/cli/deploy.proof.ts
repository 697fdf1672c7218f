import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { EMPTY_STATE, writeState } from '../../src/site-build/state/build-state.ts'
import { createS3Storage } from '../../src/storage/s3.ts'
import { readSiteFiles } from '../site-build/read-site-files.ts'
import { startCommand } from '../support/command.ts'
import { withEnvironment } from '../support/environment.ts'
import { LONG_FORM, some } from '../support/long-form.ts'
import { bucketOf, S3_CREDENTIALS, type S3Server, startS3Server } from '../support/s3-server.ts'
import { SAMPLE_SITES } from '../support/sample-sites.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const { minimal } = SAMPLE_SITES
const quoin = (...args: string[]) => startCommand(args, S3_CREDENTIALS).ended

let server: S3Server
beforeAll(async () => {
  server = await startS3Server()
})
afterAll(() => server.close())

async function builtSite() {
  const folder = await temporaryFolder()
  const [site, dist, target] = [join(folder, 'site'), join(folder, 'dist'), join(folder, 'www')]
  await cp(minimal, site, { recursive: true })
  const build = () => quoin('build', site, '--out', dist, '--url', 'https://notes.example')
  expect(await build()).toMatchObject({ code: 0 })
  return { site, dist, target, build }
}

/** A folder that a deploy accepts as the output of a build. */
async function littleSite(pages: number) {
  const folder = await temporaryFolder()
  const [dist, target] = [join(folder, 'dist'), join(folder, 'www')]
  await mkdir(dist)
  await writeFile(join(dist, 'index.html'), '<p>Home')
  for (let page = 0; page < pages; page++) await writeFile(join(dist, `more-${page}.html`), `<p>${page}`)
  await writeState(dist, EMPTY_STATE, null)
  return { dist, target }
}

describe('quoin deploy', () => {
  test('to a folder uploads everything, then only what changed, and a dry run changes nothing', async () => {
    const { site, dist, target, build } = await builtSite()
    const first = await quoin('deploy', dist, '--to', target)
    expect(first).toMatchObject({ code: 0, err: '' })
    expect(first.out).toMatch(/: \d+ files uploaded \(.* KB\), 0 unchanged, 0 removed; .* s\.\n$/)
    expect(await readSiteFiles(target)).toEqual(await readSiteFiles(dist))

    await writeFile(join(site, 'more.md'), '---\ntitle: More\n---\nText.\n')
    await build()
    const before = await readSiteFiles(target)
    const plan = await quoin('deploy', dist, '--to', target, '--dry-run')
    expect(plan.out).toContain('upload  more/index.html  (new)\n')
    expect(plan.out).toMatch(/to remove\. Dry run: nothing was changed\.\n$/)
    expect(await readSiteFiles(target)).toEqual(before)

    const second = await quoin('deploy', dist, '--to', `file:${target}`, '--json')
    expect(await quoin('deploy', dist, '--to', target, '--quiet')).toEqual({ code: 0, out: '', err: '' })
    const { put, kept } = JSON.parse(second.out)
    expect(put).toContainEqual({ key: 'more/index.html', bytes: expect.any(Number), reason: 'new' })
    expect(kept).toBeGreaterThan(5)
    expect(await readSiteFiles(target)).toEqual(await readSiteFiles(dist))
  })

  test.runIf(LONG_FORM)(
    'to a bucket sets the headers of a publish, and is completed by the next one when it is killed',
    async () => {
      onTestFinished(withEnvironment(S3_CREDENTIALS))
      const { dist } = await littleSite(60)
      const url = server.url()
      const store = createS3Storage(bucketOf(url))
      const killed = startCommand(['deploy', dist, '--to', url], S3_CREDENTIALS)
      while ((await store.list('more-')).length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
      killed.kill('SIGKILL')
      expect((await killed.ended).code).toBeNull()

      const { code, out } = await quoin('deploy', dist, '--to', url, '--json')
      expect(code).toBe(0)
      const { put, kept } = JSON.parse(out)
      const files = await readSiteFiles(dist)
      expect(put.length + kept).toBe(files.size)
      expect((await store.list('')).filter((key) => !key.startsWith('.quoin/'))).toEqual([...files.keys()])
      const page = await fetch(`${server.endpoint}/quoin/${bucketOf(url).prefix}index.html`)
      expect(await page.text()).toBe(files.get('index.html'))
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(page.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    },
  )

  test.runIf(LONG_FORM)('does not replace a file in the target that no deploy uploaded', async () => {
    const { dist, target } = await littleSite(1)
    await mkdir(target)
    await writeFile(join(target, 'index.html'), 'mine')
    const { code, err } = await quoin('deploy', dist, '--to', target)
    expect(code).toBe(1)
    expect(err).toMatch(/^quoin: index\.html already exists in the target[^\n]*--replace\.\n$/)
    expect(await readFile(join(target, 'index.html'), 'utf8')).toBe('mine')
  })

  test.each(
    some(
      [
        [['.'], 2, /required option '--to/],
        [['/no/such/folder', '--to', 'x'], 2, /The folder \/no\/such\/folder does not exist\./],
        [['.', '--to', './www'], 2, /--to: the target must not contain the built folder/],
        [['.', '--to', 'ftp://x'], 2, /--to: must look like file:/],
        [['src', '--to', '/tmp/quoin-nowhere'], 1, /contains no built site\. Run quoin build first\./],
        [
          ['src', '--to', 's3://quoin?endpoint=http://127.0.0.1:1'],
          1,
          /cannot be reached, the connection was refused\./,
        ],
      ],
      3,
    ),
  )('fails for %j with one line', async (args, code, line) => {
    const ended = await quoin('deploy', ...args)
    expect(ended.code).toBe(code)
    expect(ended.err).toMatch(line)
    expect(ended.err.trim().split('\n')).toHaveLength(1)
  })
})
