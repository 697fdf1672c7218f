import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import type { Id } from '../../src/domain/ids.ts'
import { pageDocument } from '../../src/page-text/page-document.ts'
import { unlimitedAnswerTime, withinAnswerTime } from '../../src/platform/answer-time.ts'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import type { RenderedPage } from '../../src/render/page/render-page.ts'
import { createInProcessRenderer } from '../../src/renderer/in-process.ts'
import { packMessage } from '../../src/renderer/message-framing.ts'
import { createRendererPool, type PoolOptions } from '../../src/renderer/pool.ts'
import { CHANNEL, encodeReply } from '../../src/renderer/protocol.ts'
import type { Renderer } from '../../src/renderer/renderer.ts'
import { loadThemes } from '../../src/theme/load-theme.ts'
import { finishedJob } from '../support/finished-job.ts'
import { HOSTILE_KINDS, hostileMarkdown } from '../support/hostile-markdown.mjs'
import { anyLivePage, livePage } from '../support/live-page.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { type Answer, pageBody, startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folders = { themes: join(PACKAGE_ROOT, 'themes'), templates: join(PACKAGE_ROOT, 'themes/_shared') }
const themes = await loadThemes(folders)
const entry = join(PACKAGE_ROOT, 'dist/renderer/child.js')
const closing: Renderer[] = []

/** A pool with small limits, which short texts exceed. */
/** A child that has just started takes 25 to 35 ms for a short page, and several seconds for a costly one. */
const CPU_MS = 150

function smallPool(limits = { cpuMs: CPU_MS, wallMs: 60_000, memory: 512 * 2 ** 20 }): Renderer {
  const pool = createRendererPool({ themes, folders, entry, size: 2, limits })
  closing.push(pool)
  return pool
}

afterAll(() => Promise.all(closing.map((pool) => pool.close())))

/** A pool whose children get no CPU time, as on an overloaded machine. */
async function starvedPool(options: Partial<PoolOptions> = {}): Promise<Renderer> {
  const stuck = join(await temporaryFolder(), 'stuck.mjs')
  const ready = packMessage(encodeReply({ ready: [] })).toString('base64')
  await writeFile(
    stuck,
    `import { writeSync } from 'node:fs'
     writeSync(${CHANNEL}, Buffer.from('${ready}', 'base64'))
     setInterval(() => {}, 60_000)`,
  )
  const limits = { cpuMs: 60_000, wallMs: 200, memory: 512 * 2 ** 20 }
  const pool = createRendererPool({ themes: new Map(), folders, entry: stuck, size: 1, limits, ...options })
  closing.push(pool)
  return pool
}

/** Takes either parser several seconds. */
const COSTLY = '[^1]: a\n'.repeat(60_000)
const PLACES = { pages: '/public/x/', files: '/render/' }

function pageOf(project: string, markdown: string) {
  return livePage({
    page: { type: 'article', projectId: `proj${project.repeat(12)}` as Id<'proj'>, markdown },
  })
}

/** Converts bodies to text, which compares faster. */
function shown({ artifacts, ...others }: RenderedPage) {
  return { artifacts: artifacts.map((it) => ({ ...it, body: Buffer.from(it.body).toString() })), ...others }
}

describe('pages rendered in child processes', () => {
  test.runIf(LONG_FORM)('are the same, byte for byte, as those rendered in the service', async () => {
    const here = createInProcessRenderer(themes)
    const pool = smallPool({ cpuMs: 10_000, wallMs: 60_000, memory: 512 * 2 ** 20 })
    await fc.assert(
      fc.asyncProperty(anyLivePage(), async (any) => {
        const live = { ...any, page: { ...any.page, config: { ...any.page.config, theme: 'dark' } } }
        expect(shown(await pool.renderPage(live))).toEqual(shown(await here.renderPage(live)))
        const previews = [await pool.preview(live, PLACES), await here.preview(live, PLACES)]
        expect(previews[0]?.html).toBe(previews[1]?.html)
      }),
      { numRuns: 40 },
    )
  })

  test('are paid for by the request that waits for them, also when they are refused', async () => {
    const pool = smallPool()
    const costOf = async (markdown: string) => {
      const request = unlimitedAnswerTime()
      const outcome = await withinAnswerTime(request, () => pool.preview(pageOf('a', markdown), PLACES)).then(
        () => 'rendered',
        () => 'refused',
      )
      return { outcome, ms: request.processorMs }
    }
    await costOf('The child starts.')
    const short = await costOf('A few words.')
    expect(short.outcome).toBe('rendered')
    expect(short.ms).toBeGreaterThan(0)
    expect(short.ms).toBeLessThan(CPU_MS)
    expect(await costOf(COSTLY)).toEqual({ outcome: 'refused', ms: CPU_MS })
  })

  describe('whose Markdown is hostile', () => {
    // The wall time limit is long, so that an overloaded machine does not fail the test.
    const pool = smallPool({ cpuMs: 2_000, wallMs: 60_000, memory: 512 * 2 ** 20 })

    test.runIf(LONG_FORM).each(HOSTILE_KINDS)(
      'are rendered or refused (%s), and the next one is rendered',
      async (kind) => {
        for (const bytes of [4_096, 65_536, 524_288]) {
          const attack = pool.renderPage(pageOf('a', hostileMarkdown(kind, bytes)))
          const answer = await attack.then(
            () => 'rendered',
            ({ name }: Error) => name,
          )
          expect(['rendered', 'validation_error'], `${bytes} bytes`).toContain(answer)
        }
        expect((await pool.renderPage(pageOf('b', 'After all that'))).artifacts).not.toEqual([])
      },
    )
  })

  test.runIf(LONG_FORM)('are ended when CSS keeps their parser busy', async () => {
    const pool = smallPool()
    const project = pageOf('a', '').page.projectId
    // Each level doubles the parser's time.
    const busy = `a{width:${'calc(1px + 2em * '.repeat(40)}1${')'.repeat(40)}}`
    expect(await pool.cssIssue(project, busy)).toMatchObject({
      message: 'takes too long to read. Make it simpler.',
    })
    expect(await pool.cssIssue(project, 'a{')).toBeNull()
    expect(await pool.cssIssue(project, 'a{}}')).toMatchObject({ line: 1 })
  })

  test('are written as the same Markdown document in a child as in this process', async () => {
    // The limit of the other tests is short beside other work.
    const pool = smallPool({ cpuMs: 10_000, wallMs: 60_000, memory: 512 * 2 ** 20 })
    const { page } = pageOf('a', '')
    const inputs = [
      {
        type: 'item',
        config: Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`key${i}`, 'Text'])),
      },
      { type: 'article', config: {}, markdown: `---\nauthor: Ada\n---\n${'A text.\n'.repeat(10_000)}` },
      { type: 'article', config: {}, markdown: 'Short.' },
    ] as const
    for (const fields of inputs) {
      const input = { page: { ...page, ...fields }, stated: { title: 'A' }, collections: new Map() }
      expect(await pool.document(page.projectId, input)).toBe(
        pageDocument(input.page, input.stated, input.collections),
      )
    }
  })

  test.runIf(LONG_FORM)(
    'are refused when they cost too much, and do not delay other projects meanwhile',
    async () => {
      const pool = smallPool()
      // Starts both children.
      await Promise.all([pool.renderPage(pageOf('a', 'Calm')), pool.renderPage(pageOf('b', 'Calm'))])
      const order: string[] = []
      const costly = pool.renderPage(pageOf('a', COSTLY)).catch((error: Error) => {
        order.push('costly')
        return error
      })
      // Waits for the page of the same project, which comes first.
      const behind = pool.renderPage(pageOf('a', 'Behind')).then(() => order.push('behind'))
      await pool.renderPage(pageOf('b', 'Calm')).then(() => order.push('other project'))
      await behind

      expect(order).toEqual(['other project', 'costly', 'behind'])
      expect(await costly).toMatchObject({
        name: 'validation_error',
        message: expect.stringContaining('too complex to render: it takes more than 0.15 s of computing'),
      })
    },
  )

  test.runIf(LONG_FORM)('are refused when they need too much memory', async () => {
    const pool = smallPool({ cpuMs: 60_000, wallMs: 60_000, memory: 64 * 2 ** 20 })
    await expect(pool.renderPage(pageOf('a', COSTLY))).rejects.toMatchObject({ name: 'validation_error' })
  })

  test.runIf(LONG_FORM && process.platform === 'linux')(
    'fail on our side, and are not called too complex, where the machine had no time for them',
    async () => {
      const pool = await starvedPool()
      const { projectId } = pageOf('a', '').page
      const failure = { name: 'internal_error', message: expect.stringContaining('too busy') }
      await expect(pool.renderPage(pageOf('a', 'Calm'))).rejects.toMatchObject(failure)
      await expect(pool.preview(pageOf('a', 'Calm'), PLACES)).rejects.toMatchObject(failure)
      await expect(pool.cssIssue(projectId, 'a{}')).rejects.toMatchObject(failure)
    },
  )

  test('are rendered even if an earlier page ends the child that they were sent to', async () => {
    const folder = await temporaryFolder()
    const [mortal, renderer] = [join(folder, 'mortal.mjs'), join(PACKAGE_ROOT, 'dist/renderer')]
    await writeFile(
      mortal,
      `import { createMessageInput, writeMessageSync } from ${JSON.stringify(join(renderer, 'message-framing.js'))}
       import { CHANNEL, encodeReply, decodeRequest } from ${JSON.stringify(join(renderer, 'protocol.js'))}
       const next = createMessageInput(CHANNEL)
       writeMessageSync(CHANNEL, encodeReply({ ready: [] }))
       for (let parts = next(); parts !== null; parts = next()) {
         const { markdown } = decodeRequest(parts).args[0].page
         if (markdown.startsWith('Ends it')) process.exit(1)
         writeMessageSync(CHANNEL, encodeReply({ value: { data: { warnings: [markdown] }, files: [] } }))
       }`,
    )
    const pool = createRendererPool({ themes: new Map(), folders, entry: mortal, size: 1 })
    closing.push(pool)
    const texts = ['One', 'Ends it', 'Two', 'Three', 'Ends it again', 'Four', 'Five', 'Six']
    const ends = await Promise.all(
      texts.map((text) =>
        pool.renderPage(pageOf('a', text)).then(
          ({ warnings }) => warnings,
          ({ name }: Error) => name,
        ),
      ),
    )
    expect(ends).toEqual(texts.map((text) => (text.startsWith('Ends it') ? 'validation_error' : [text])))
  })

  test('are not blamed for the memory of the page before them', async () => {
    const folder = await temporaryFolder()
    const [slow, renderer] = [join(folder, 'slow.mjs'), join(PACKAGE_ROOT, 'dist/renderer')]
    // Reported during the render: more memory than a child may keep.
    await writeFile(
      slow,
      `import { createMessageInput, writeMessageSync } from ${JSON.stringify(join(renderer, 'message-framing.js'))}
       import { CHANNEL, encodeReply, decodeRequest } from ${JSON.stringify(join(renderer, 'protocol.js'))}
       const next = createMessageInput(CHANNEL)
       writeMessageSync(CHANNEL, encodeReply({ ready: [] }))
       for (let parts = next(); parts !== null; parts = next()) {
         const { markdown } = decodeRequest(parts).args[0].page
         await new Promise((resolve) => setTimeout(resolve, 250))
         writeMessageSync(CHANNEL, encodeReply({ value: { data: { warnings: [markdown] }, files: [] } }))
       }`,
    )
    const memory = 512 * 2 ** 20
    const limits = { cpuMs: 60_000, wallMs: 60_000, memory }
    const usageOf = () => ({ cpuMs: 0, memory: 0.6 * memory })
    const pool = createRendererPool({ themes: new Map(), folders, entry: slow, size: 1, limits, usageOf })
    closing.push(pool)
    const texts = ['One', 'Two', 'Three']
    const pages = await Promise.all(texts.map((text) => pool.renderPage(pageOf('a', text))))
    expect(pages.map(({ warnings }) => warnings)).toEqual(texts.map((text) => [text]))
  })

  test('are rejected when the pool is closed while they wait, and no child is started for them', async () => {
    const pool = createRendererPool({ themes, folders, entry, size: 1 })
    await pool.renderPage(pageOf('a', 'Calm'))
    const all = Promise.allSettled([
      pool.renderPage(pageOf('a', COSTLY)),
      ...Array.from({ length: 6 }, () => pool.renderPage(pageOf('b', 'Behind'))),
    ])
    await pool.close()
    const [, ...behind] = await all
    expect(behind.map((end) => end.status === 'rejected' && String(end.reason))).toEqual(
      behind.map(() => 'Error: The renderer was closed.'),
    )
  })

  test('wait for at most a few short pages of the project that came first', async () => {
    const pool = createRendererPool({ themes, folders, entry, size: 1 })
    closing.push(pool)
    await pool.renderPage(pageOf('a', 'Calm'))
    const order: string[] = []
    const first = Array.from({ length: 40 }, () =>
      pool.renderPage(pageOf('a', 'Short')).then(() => order.push('first')),
    )
    const other = pool.renderPage(pageOf('b', 'Other')).then(() => order.push('other'))
    await Promise.all([...first, other])
    expect(order.indexOf('other')).toBeLessThanOrEqual(5)
  })

  describe('of several accounts', () => {
    const PROJECTS = [...'abcdefghijklmnopqrstuvwx']

    /** A pool whose children answer a page at once, except for pages that say "Stuck". Pages of project `z` are the other account's. */
    async function poolOfAccounts(size: number): Promise<Renderer> {
      const folder = await temporaryFolder()
      const [child, renderer] = [join(folder, 'child.mjs'), join(PACKAGE_ROOT, 'dist/renderer')]
      await writeFile(
        child,
        `import { createMessageInput, writeMessageSync } from ${JSON.stringify(join(renderer, 'message-framing.js'))}
         import { CHANNEL, encodeReply, decodeRequest } from ${JSON.stringify(join(renderer, 'protocol.js'))}
         const next = createMessageInput(CHANNEL)
         writeMessageSync(CHANNEL, encodeReply({ ready: [] }))
         for (let parts = next(); parts !== null; parts = next()) {
           const { markdown } = decodeRequest(parts).args[0].page
           if (markdown !== 'Stuck') writeMessageSync(CHANNEL, encodeReply({ value: { data: {}, files: [] } }))
         }`,
      )
      const accountOf = async (project: Id<'proj'>) =>
        (project.startsWith('projz') ? 'other' : 'busy') as Id<'usr'>
      const limits = { cpuMs: 600_000, wallMs: 600_000, memory: 512 * 2 ** 20 }
      const pool = createRendererPool({ themes: new Map(), folders, entry: child, size, limits, accountOf })
      closing.push(pool)
      return pool
    }

    test('find a child while 24 projects of one account have a page under way that does not end', async () => {
      for (const size of [2, 3]) {
        const pool = await poolOfAccounts(size)
        const stuck = Promise.allSettled(
          PROJECTS.map((project) => pool.preview(pageOf(project, 'Stuck'), PLACES)),
        )
        await pool.renderPage(pageOf('z', 'Other'))
        await pool.close()
        await stuck
      }
    })

    test('take turns, in however many projects one of them waits', async () => {
      const pool = await poolOfAccounts(1)
      const order: string[] = []
      const render = (project: string) =>
        pool.renderPage(pageOf(project, 'Short')).then(() => order.push(project))
      await Promise.all([...PROJECTS.flatMap((project) => [render(project), render(project)]), render('z')])
      expect(order.indexOf('z')).toBeLessThanOrEqual(2)
    })

    test('come before the previews of their account when a caller waits for them until a deadline', async () => {
      const pool = await poolOfAccounts(1)
      const order: string[] = []
      const previews = PROJECTS.map((project) =>
        pool.preview(pageOf(project, 'Preview'), PLACES).then(() => order.push('preview')),
      )
      const publish = pool
        .renderPage(pageOf('y', 'Publish'), { urgent: true })
        .then(() => order.push('publish'))
      await Promise.all([...previews, publish])
      expect(order.indexOf('publish')).toBeLessThanOrEqual(1)
    })
  })

  test('are dropped when their caller gives up before their turn', async () => {
    const pool = await starvedPool()
    const giveUp = new AbortController()
    const first = pool.renderPage(pageOf('a', 'Calm'))
    const dropped = ['a', 'b'].map((project) =>
      pool.renderPage(pageOf(project, 'Calm'), { signal: giveUp.signal }),
    )
    giveUp.abort(new Error('No longer needed.'))
    await expect(first).rejects.toMatchObject({ name: 'internal_error' })
    for (const page of dropped) await expect(page).rejects.toThrow('No longer needed.')
  })

  test('are refused by their wall time where CPU time cannot be read', async () => {
    const pool = await starvedPool({ usageOf: () => null })
    await expect(pool.renderPage(pageOf('a', 'Calm'))).rejects.toMatchObject({
      name: 'validation_error',
      message: expect.stringContaining('takes more than 0.2 s'),
    })
  })

  test('are refused when their output is far larger than their source', async () => {
    const wordy = [...themes].map(
      ([name, theme]) => [name, { ...theme, page: () => 'x'.repeat(1_100_000) }] as const,
    )
    const here = createInProcessRenderer(new Map(wordy))
    await expect(here.renderPage(pageOf('a', 'Calm'))).rejects.toMatchObject({
      name: 'validation_error',
      message: expect.stringContaining('more than 20 times as large'),
    })
  })

  test.runIf(LONG_FORM)(
    'say that the service must be restarted when a theme was changed under it',
    async () => {
      const changed = new Map([...themes].map(([name, theme]) => [name, { ...theme, digest: 'another' }]))
      const pool = createRendererPool({ themes: changed, folders, entry, size: 1 })
      closing.push(pool)
      await expect(pool.renderPage(pageOf('a', 'Calm'))).rejects.toThrow('Restart the service')
    },
  )

  test.runIf(process.platform === 'linux')(
    'say so while the service has no file descriptor left, and are rendered when it has',
    async () => {
      const script = join(PACKAGE_ROOT, 'test/renderer/without-descriptors.mjs')
      const { context: _, ...live } = pageOf('a', 'Calm')
      const program = [process.execPath, script, PACKAGE_ROOT, JSON.stringify(live)]
      const shell = ['-c', 'ulimit -n 256; exec "$@"', '-', ...program]
      const { stdout } = await promisify(execFile)('sh', shell)
      expect(JSON.parse(stdout)).toEqual([expect.stringContaining('could not be started'), 'true'])
    },
  )

  test('reject with the reason when no child can be started', async () => {
    const pool = createRendererPool({ themes, folders, entry: join(PACKAGE_ROOT, 'missing.js'), size: 1 })
    closing.push(pool)
    await expect(pool.renderPage(pageOf('a', 'Calm'))).rejects.toThrow('could not be started')
  })
})

test('publishing a page that is too costly fails with 422 and changes nothing, and the next page goes live', async () => {
  const service = await startService({ renderer: () => smallPool() })
  try {
    const project = await service.newProject()
    const make = async (slug: string, markdown_content: string) => {
      const body = {
        project_id: project,
        title: slug,
        slug,
        subroute: 'blog',
        type: 'article',
        markdown_content,
      }
      return (await service.call('POST', '/pages', body)).body.data.id
    }
    const [costly, calm] = [await make('costly', COSTLY), await make('calm', 'Calm')]

    /** On a machine that has no time for the child, a publish ends after 12 s and may be tried again. */
    const publish = async (id: string, tries = 10): Promise<Answer> => {
      const answer = await service.call('POST', `/pages/${id}/publish`)
      return tries > 1 && answer.status >= 500 ? publish(id, tries - 1) : answer
    }
    const refused = await publish(costly)
    const published = await publish(calm)
    expect(refused.status).toBe(422)
    expect(refused.body.message).toContain('too complex to render')
    expect(published.status).toBe(200)
    expect((await service.call('GET', `/pages/${costly}`)).body.data.status).toBe('draft')
  } finally {
    await service.close()
  }
})

test.runIf(LONG_FORM && process.platform === 'linux')(
  'a page that the machine had no time for is answered 500, keeps its edit, and is tried again by a job',
  async () => {
    const [starved, calm] = [await starvedPool(), smallPool()]
    let isBusy = true
    const renderer: Renderer = {
      ...createInProcessRenderer(themes),
      renderPage: (live) => {
        const pool = isBusy ? starved : calm
        isBusy = false
        return pool.renderPage(live)
      },
    }
    const service = await startService({ renderer: () => renderer })
    try {
      const { call } = service
      const project = await service.newProject()
      const { id } = (await call('POST', '/pages', pageBody(project, { title: 'Before' }))).body.data
      const failed = await call('PUT', `/pages/${id}`, { title: 'After', status: 'published' })
      expect(failed).toMatchObject({
        status: 500,
        body: { name: 'internal_error', message: expect.stringContaining('try again') },
      })
      expect((await call('GET', `/pages/${id}`)).body.data).toMatchObject({
        page_name: 'After',
        status: 'draft',
      })

      isBusy = true
      const job = await call('POST', `/projects/${project}/publish`, { pages: [id] })
      expect(await finishedJob(service, job.body.data.id)).toMatchObject({ status: 'succeeded', failed: [] })
      expect((await call('GET', `/pages/${id}`)).body.data.status).toBe('published')
    } finally {
      await service.close()
    }
  },
)
