import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { LivePage } from '../../src/domain/live-page.ts'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { sha256 } from '../../src/publish/pipeline/plan.ts'
import type { RenderedPage } from '../../src/render/page/render-page.ts'
import { createInProcessRenderer } from '../../src/renderer/in-process.ts'
import { unwrapReply } from '../../src/renderer/protocol.ts'
import { startRenderThread, type ThreadReply } from '../../src/renderer/render-thread.ts'
import type { TimedPage } from '../../src/renderer/renderer.ts'
import { createThemeFiles } from '../../src/renderer/theme-files.ts'
import { createThreadPool, type ThreadPoolOptions } from '../../src/renderer/thread-pool.ts'
import { loadThemes } from '../../src/theme/load-theme.ts'
import { anyLivePage, livePage } from '../support/live-page.ts'
import { runs } from '../support/long-form.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folders = { themes: join(PACKAGE_ROOT, 'themes'), templates: join(PACKAGE_ROOT, 'themes/_shared') }
const themes = await loadThemes(folders)
const entry = join(PACKAGE_ROOT, 'dist/thread.js')
const here = createInProcessRenderer(themes)

/** A pool of three threads that uses all of them for two pages or more. */
function poolWith(options: Partial<ThreadPoolOptions> = {}) {
  const pool = createThreadPool({ themes, folders, entry, size: 3, threshold: 0, ...options })
  onTestFinished(() => pool.close())
  return pool
}

async function threadThat(program: string): Promise<string> {
  const file = join(await temporaryFolder(), 'thread.mjs')
  await writeFile(file, `import { parentPort } from 'node:worker_threads'\n${program}`)
  return file
}

/** A thread's first message. */
const READY = `parentPort.postMessage(new Map(${JSON.stringify([...themes].map(([name, { digest }]) => [name, digest]))}))\n`

function pages(count: number): readonly LivePage[] {
  return Array.from({ length: count }, (_, n) =>
    livePage({
      page: { type: 'article', slug: `page-${n}`, markdown: `Page *${n}*. ${'Text. '.repeat(n % 50)}` },
    }),
  )
}

/** Whatever theme it names. */
function inDark({ page, ...live }: LivePage): LivePage {
  return { ...live, page: { ...page, config: { ...page.config, theme: 'dark' } } }
}

const untimed = ({ ms: _, ...page }: TimedPage) => page

/** With texts for bytes, which compare faster. */
function shown({ artifacts, ...page }: RenderedPage) {
  return { ...page, artifacts: artifacts.map((it) => ({ ...it, body: Buffer.from(it.body).toString() })) }
}

const asked = [...fc.sample(anyLivePage(), runs(60)).map(inDark), ...pages(20)]

test('a thread renders pages byte for byte as they are rendered here, in the order it is asked', async () => {
  const files = createThemeFiles(themes)
  const thread = startRenderThread({ entry, folders })
  onTestFinished(() => thread.end())
  expect(await thread.themeDigests).toEqual(new Map([...themes].map(([name, { digest }]) => [name, digest])))
  const batches = [asked.slice(0, 1), asked.slice(1, 30), asked.slice(30)]
  const replies = (await Promise.all(batches.map((batch) => thread.render(batch)))).flat()
  for (const [index, live] of asked.entries()) {
    const { artifacts, ...page } = unwrapReply(replies[index] as ThreadReply) as TimedPage
    const answer = untimed({ ...page, artifacts: artifacts.map(files.restored) })
    expect(shown(answer)).toEqual(shown(await here.renderPage(live)))
  }
})

describe('the thread pool', () => {
  test('renders pages as one thread does', async () => {
    const pool = poolWith()
    const answers = await Promise.all(asked.map(async (live) => shown(untimed(await pool.renderPage(live)))))
    for (const [index, live] of asked.entries())
      expect(answers[index]).toEqual(shown(await here.renderPage(live)))
  })

  test('writes many pages to files', async () => {
    const [spillFolder, asked] = [await temporaryFolder(), pages(40)]
    const pool = poolWith({ spillFolder })
    const answers = await Promise.all(asked.map((live) => pool.renderPage(live)))
    const expected = await Promise.all(asked.map((live) => here.renderPage(live)))
    const own = answers.flatMap(({ artifacts }) => artifacts.filter(({ stage }) => stage === 'page'))
    expect(new Set(own.map(({ key }) => key)).size).toBe(own.length)
    const bodies = new Map<string, Buffer>()
    for (const { key, body, spilled } of own) {
      const bytes = await readFile(join(spillFolder, key))
      expect(body.byteLength).toBe(0)
      expect(spilled).toEqual({ folder: spillFolder, digest: sha256(bytes), size: bytes.byteLength })
      bodies.set(key, bytes)
    }
    const inMemory = answers.map(({ artifacts, ...page }) => ({
      ...page,
      artifacts: artifacts.map(({ key, stage, owner, body }) => ({
        key,
        stage,
        owner,
        body: bodies.get(key) ?? body,
      })),
    }))
    expect(inMemory.map((page) => shown(untimed(page)))).toEqual(expected.map(shown))
  })

  test('leaves pages in memory if no file can be written', async () => {
    const pool = poolWith({ spillFolder: join(await temporaryFolder(), 'missing') })
    const answers = await Promise.all(asked.map((live) => pool.renderPage(live)))
    const expected = await Promise.all(asked.map((live) => here.renderPage(live)))
    expect(answers.map((answer) => shown(untimed(answer)))).toEqual(expected.map(shown))
  })

  test('refuses the pages that one thread refuses', async () => {
    const [pool, asked] = [poolWith(), pages(30)]
    const unthemed = asked.map((live) => ({ ...live, settings: { ...live.settings, theme: 'gone' } }))
    const answers = await Promise.allSettled(unthemed.map((live) => pool.renderPage(live)))
    const refusal = { name: 'internal_error', message: expect.stringContaining('"gone"') }
    expect(answers).toEqual(
      unthemed.map(() => ({ status: 'rejected', reason: expect.objectContaining(refusal) })),
    )
  })

  test('starts no thread for few pages', async () => {
    const [spillFolder, few] = [await temporaryFolder(), pages(20)]
    const pool = poolWith({ threshold: 100, spillFolder })
    expect(await Promise.all(few.map((live) => pool.renderPage(live)))).toHaveLength(20)
    expect(await readdir(spillFolder)).toEqual([])
  })

  test('starts its threads early when many pages are expected, and renders again after they have ended', async () => {
    const pool = poolWith({ expected: 1_000 })
    // The threads may have loaded by then or not. Both must work.
    await new Promise((resolve) => setTimeout(resolve, 20))
    for (let times = 0; times < 2; times += 1) {
      const answers = await Promise.all(asked.map((live) => pool.renderPage(live)))
      expect(answers.map((answer) => shown(untimed(answer)))).toEqual(
        await Promise.all(asked.map(async (live) => shown(await here.renderPage(live)))),
      )
    }
  })

  test('rejects all pages that are not rendered when it is closed', async () => {
    const begun = join(await temporaryFolder(), 'begun')
    const program = `import { writeFileSync } from 'node:fs'
      parentPort.on('message', () => writeFileSync(${JSON.stringify(begun)}, ''))`
    const pool = poolWith({ entry: await threadThat(READY + program) })
    const all = Promise.allSettled(pages(3_000).map((live) => pool.renderPage(live)))
    while (!existsSync(begun)) await new Promise((resolve) => setTimeout(resolve, 5))
    await pool.close()
    const reasons = (await all).flatMap((answer) =>
      answer.status === 'rejected' ? [String(answer.reason)] : [],
    )
    expect(new Set(reasons)).toEqual(new Set(['Error: The renderer was closed.']))
    await expect(pool.renderPage(pages(1)[0] as LivePage)).rejects.toThrow('The renderer was closed.')
  })

  test.each([
    ['does not start', 'process.exit(3)'],
    ['ends over a page', `${READY}parentPort.on('message', () => process.exit(4))`],
    ['throws over a page', `${READY}parentPort.on('message', () => missing())`],
  ])('renders all pages itself when a thread %s', async (_, program) => {
    const pool = poolWith({ entry: await threadThat(program), expected: 1_000 })
    const many = pages(200)
    const answers = await Promise.all(many.map((live) => pool.renderPage(live)))
    expect(answers.map(({ artifacts }) => artifacts[0]?.key)).toEqual(
      (await Promise.all(many.map((live) => here.renderPage(live)))).map(
        ({ artifacts }) => artifacts[0]?.key,
      ),
    )
  })

  test('rejects all pages when a thread has loaded other themes', async () => {
    const pool = poolWith({ entry: await threadThat('parentPort.postMessage(new Map())') })
    const all = Promise.all(pages(3_000).map((live) => pool.renderPage(live)))
    await expect(all).rejects.toThrow('changed during the build')
  })
})
