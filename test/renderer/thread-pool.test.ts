import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sizeOf } from '../../src/domain/artifact.ts'
import type { LivePage } from '../../src/domain/live-page.ts'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { sha256 } from '../../src/publish/pipeline/plan.ts'
import type { RenderedPage } from '../../src/render/page/render-page.ts'
import { createInProcessRenderer } from '../../src/renderer/in-process.ts'
import { startRenderThread } from '../../src/renderer/render-thread.ts'
import type { TimedPage } from '../../src/renderer/renderer.ts'
import { createThemeFiles } from '../../src/renderer/theme-files.ts'
import { type CrewOptions, createRenderCrew } from '../../src/renderer/thread-pool.ts'
import { loadThemes } from '../../src/theme/load-theme.ts'
import { anyLivePage, livePage } from '../support/live-page.ts'
import { runs } from '../support/long-form.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folders = { themes: join(PACKAGE_ROOT, 'themes'), templates: join(PACKAGE_ROOT, 'themes/_shared') }
const themes = await loadThemes(folders)
const entry = join(PACKAGE_ROOT, 'dist/thread.js')
const here = createInProcessRenderer(themes)

/** Two threads that are called at once, beside the one of the test. */
function crewOf(options: Partial<CrewOptions> = {}) {
  const crew = createRenderCrew({ themes, folders, entry, size: 3, patience: 0, ...options })
  onTestFinished(() => crew.close())
  return crew
}

async function threadThat(program: string): Promise<string> {
  const file = join(await temporaryFolder(), 'thread.mjs')
  await writeFile(file, `import { parentPort } from 'node:worker_threads'\n${program}`)
  return file
}

/** A thread that says which themes it found. */
const READY = `parentPort.postMessage([{ ready: new Map(${JSON.stringify([...themes].map(([name, { digest }]) => [name, digest]))}) }])\n`

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

test('a thread renders pages as they are rendered here, byte for byte, in the order it is asked', async () => {
  const digests = new Map([...themes].map(([name, { digest }]) => [name, digest]))
  const files = createThemeFiles(themes)
  const thread = startRenderThread({ entry, folders, digests })
  onTestFinished(() => thread.end())
  await thread.ready
  const answers = await Promise.all(
    asked.map(async (live) => {
      const [page, entry] = await Promise.all(
        thread.ask([
          { call: 'renderPage', live },
          { call: 'feedEntry', live },
        ]),
      )
      const { artifacts, ...said } = page as TimedPage
      return [shown(untimed({ ...said, artifacts: artifacts.map(files.restored) })), entry]
    }),
  )
  for (const [index, live] of asked.entries())
    expect(answers[index]).toEqual([shown(await here.renderPage(live)), await here.feedEntry(live)])
})

describe('pages rendered in several threads', () => {
  test('are answered to whoever asked, as they are rendered in one', async () => {
    const crew = crewOf()
    const answers = await Promise.all(
      asked.map(async (live) => [shown(untimed(await crew.renderPage(live))), await crew.feedEntry(live)]),
    )
    for (const [index, live] of asked.entries())
      expect(answers[index]).toEqual([shown(await here.renderPage(live)), await here.feedEntry(live)])
  })

  test('lie in files until somebody asks for their bodies, where they are many', async () => {
    const [spool, asked] = [await temporaryFolder(), pages(40)]
    const crew = crewOf({ spool })
    const answers = await Promise.all(asked.map((live) => crew.renderPage(live)))
    const expected = await Promise.all(asked.map((live) => here.renderPage(live)))
    const own = answers.flatMap(({ artifacts }) => artifacts.filter(({ stage }) => stage === 'page'))
    expect(new Set(own.map(({ key }) => key)).size).toBe(own.length)
    for (const artifact of own) {
      expect(artifact.spooled?.folder).toBe(spool)
      expect(await readFile(join(spool, artifact.key))).toEqual(Buffer.from(artifact.body))
      expect(artifact.spooled?.digest).toBe(sha256(artifact.body))
      expect(sizeOf(artifact)).toBe(artifact.body.byteLength)
    }
    const unspooled = answers.map(({ artifacts, ...page }) => ({
      ...page,
      artifacts: artifacts.map(({ key, stage, owner, body }) => ({ key, stage, owner, body })),
    }))
    expect(unspooled.map((page) => shown(untimed(page)))).toEqual(expected.map(shown))
  })

  test('stay in memory where no file can be written', async () => {
    const crew = crewOf({ spool: join(await temporaryFolder(), 'gone') })
    const answers = await Promise.all(asked.map((live) => crew.renderPage(live)))
    const expected = await Promise.all(asked.map((live) => here.renderPage(live)))
    expect(answers.map((answer) => shown(untimed(answer)))).toEqual(expected.map(shown))
  })

  test('are refused for the same reasons', async () => {
    const [crew, asked] = [crewOf(), pages(30)]
    const lost = asked.map((live) => ({ ...live, settings: { ...live.settings, theme: 'gone' } }))
    const answers = await Promise.allSettled(lost.map((live) => crew.renderPage(live)))
    const refusal = { name: 'validation_error', message: expect.stringContaining('"gone" is not installed') }
    expect(answers).toEqual(
      lost.map(() => ({ status: 'rejected', reason: expect.objectContaining(refusal) })),
    )
  })

  test('call nobody where few wait', async () => {
    const crew = crewOf({ patience: 100, entry: 'missing.js' })
    expect(await Promise.all(pages(20).map((live) => crew.renderPage(live)))).toHaveLength(20)
  })

  test('are shared with whoever was called before the first was asked for', async () => {
    const crew = crewOf({ expected: 1_000 })
    // It has loaded by then, or loads still: either way it helps.
    await new Promise((resolve) => setTimeout(resolve, 20))
    for (let times = 0; times < 2; times += 1) {
      const answers = await Promise.all(asked.map((live) => crew.renderPage(live)))
      expect(answers.map((answer) => shown(untimed(answer)))).toEqual(
        await Promise.all(asked.map(async (live) => shown(await here.renderPage(live)))),
      )
    }
  })

  test('are refused, whenever they are asked for, when one that was called before cannot come', async () => {
    const crew = crewOf({ expected: 1_000, entry: await threadThat('process.exit(3)') })
    const [live] = pages(1)
    const askUntilRefused = async () => {
      for (;;) await crew.renderPage(live as LivePage)
    }
    await expect(askUntilRefused()).rejects.toThrow('ended (code 3)')
  })

  test('are given up when the crew is closed, also those that another thread has begun', async () => {
    const begun = join(await temporaryFolder(), 'begun')
    const program = `import { writeFileSync } from 'node:fs'
      parentPort.on('message', () => writeFileSync(${JSON.stringify(begun)}, ''))`
    const crew = crewOf({ entry: await threadThat(READY + program) })
    const all = Promise.allSettled(pages(3_000).map((live) => crew.renderPage(live)))
    while (!existsSync(begun)) await new Promise((resolve) => setTimeout(resolve, 5))
    await crew.close()
    const reasons = (await all).flatMap((answer) =>
      answer.status === 'rejected' ? [String(answer.reason)] : [],
    )
    expect(new Set(reasons)).toEqual(
      new Set([
        'Error: The renderer was closed.',
        'Error: A thread that renders pages ended (code 1); nothing was written.',
      ]),
    )
  })

  test.each([
    ['cannot be started', 'process.exit(3)', 'ended (code 3)'],
    ['ends over a page', `${READY}parentPort.on('message', () => process.exit(4))`, 'ended (code 4)'],
    ['breaks over a page', `${READY}parentPort.on('message', () => missing())`, 'missing is not defined'],
    [
      'finds other themes',
      'parentPort.postMessage([{ ready: new Map() }]); parentPort.on("message", () => {})',
      'was changed while the site was built',
    ],
  ])('are refused, all that wait, when a thread %s', async (_, program, reason) => {
    const crew = crewOf({ entry: await threadThat(program) })
    await expect(Promise.all(pages(3_000).map((live) => crew.renderPage(live)))).rejects.toThrow(reason)
  })
})
