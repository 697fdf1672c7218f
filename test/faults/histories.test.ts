import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { describe, expect, test } from 'vitest'
import { createInProcessRenderer } from '../../src/renderer/in-process.ts'
import { startCommand } from '../support/command.ts'
import { createRandom, type Random } from '../support/random.ts'
import { type Answer, pageBody, startService, type TestService } from '../support/service.ts'
import { linearize } from './linearizable.ts'
import { LONG, LONG_TIMEOUT_MS, SEED } from './long-form.ts'
import { modelKey, type PageModel, type Recorded, type Request, type Seen, stepsOf } from './page-model.ts'

const WRITERS = 32
const PAGES = 20
const OPERATIONS = LONG === null ? 250 : 10_000
const SEEDS = LONG === null ? [SEED] : [0, 1, 2, 3, 4].map((n) => SEED + n)

interface Subject {
  readonly id: string
  readonly first: PageModel
  readonly history: Recorded[]
}

describe('many writers at once', () => {
  test.each(SEEDS)(
    `find each page in states that one order explains, and the store in the last one: ${OPERATIONS} operations, seed %i`,
    async (seed) => {
      const service = await startService({ renderer: createInProcessRenderer })
      try {
        const project = await service.newProject()
        const subjects: Subject[] = []
        for (let n = 0; n < PAGES; n++) subjects.push(await subject(service, project, n))
        await work(service, project, subjects, createRandom(seed))
        await settled(service, project)
        for (const one of subjects) await visit(service, project, one)

        for (const { first, history } of subjects) {
          const steps = stepsOf(history)
          const verdict = linearize(steps, first, modelKey)
          expect(verdict, JSON.stringify(history)).toEqual({ isLinearizable: true, explained: steps.length })
        }
        const { code, out } = await startCommand(['verify', '--data', service.data]).ended
        expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('agree') })
      } finally {
        await service.close()
      }
    },
    LONG_TIMEOUT_MS,
  )
})

async function subject(service: TestService, project: string, n: number): Promise<Subject> {
  const [title, slug] = [`T0x of ${n}`, `p${n}-0`]
  const { body } = await service.call('POST', '/pages', pageBody(project, { title, slug }))
  return { id: body.data.id, first: { title, slug, footer: '', live: null, taken: {} }, history: [] }
}

async function work(
  service: TestService,
  project: string,
  subjects: readonly Subject[],
  random: Random,
): Promise<void> {
  let left = OPERATIONS
  const writer = async () => {
    while (left-- > 0) {
      const { id, history } = random.pick(subjects)
      const invoked = performance.now()
      const { request, isShared } = await ask(service, project, id, random, left)
      const recorded = { invoked, answered: performance.now(), request }
      // A setting of the project belongs to the history of every page.
      for (const each of isShared ? subjects.map((one) => one.history) : [history]) each.push(recorded)
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, writer))
}

/** One request, chosen by chance. A machine that is too busy makes publishes fail, which is an answer too. */
async function ask(
  service: TestService,
  project: string,
  id: string,
  random: Random,
  n: number,
): Promise<{ readonly request: Request; readonly isShared: boolean }> {
  const call = (method: string, path: string, body?: object) => service.call(method, path, body)
  const own = (request: Request) => ({ request, isShared: false })
  const [title, slug, footer] = [`T${n}x`, `p-${id.slice(5)}-${n % 7}`, `F${n}x`]
  const kind = random.below(100)
  if (kind < 2) {
    expectStatus(await call('PUT', `/projects/${project}/settings`, { footer_text: footer }), 200)
    return { request: { kind: 'settings', footer }, isShared: true }
  }
  if (kind < 20)
    return own({ kind: 'edit', title, answer: written(await call('PUT', `/pages/${id}`, { title })) })
  if (kind < 32)
    return own({ kind: 'rename', slug, answer: written(await call('PUT', `/pages/${id}`, { slug })) })
  if (kind < 55) {
    const { status, body } = expectStatus(await call('POST', `/pages/${id}/publish`), 200, 500)
    return own(status === 500 ? { kind: 'failed' } : { kind: 'publish', url: body.data.url })
  }
  if (kind < 65) {
    const { status } = expectStatus(
      await call('PUT', `/pages/${id}`, { title, status: 'published' }),
      200,
      500,
    )
    return own({ kind: status === 500 ? 'edit and failed publish' : 'edit and publish', title })
  }
  if (kind < 80) {
    const { status } = expectStatus(await call('POST', `/pages/${id}/unpublish`), 200, 409, 500)
    if (status === 500) return own({ kind: 'failed' })
    return own({ kind: 'unpublish', status: status === 200 ? 200 : 409 })
  }
  return own({ kind: 'read', answer: read(await call('GET', `/pages/${id}`)) })
}

/** Another publish goes live only when all that failed before it has been put back. */
async function settled(service: TestService, project: string): Promise<void> {
  const { body } = await service.call('POST', '/pages', pageBody(project, { slug: 'last' }))
  const publish = async () => (await service.call('POST', `/pages/${body.data.id}/publish`)).status
  await expect.poll(publish, { timeout: 60_000 }).toBe(200)
}

/** The last step of a page's history: what the API says of it, and the one file that names it. */
async function visit(service: TestService, project: string, { id, first, history }: Subject): Promise<void> {
  const invoked = performance.now()
  const answer = read(await service.call('GET', `/pages/${id}`))
  const folder = join(service.data, 'cdn', project)
  const pageIn = (slug: string) => readFileSync(join(folder, slug, 'index.html'), 'utf8')
  const slugs = readdirSync(folder)
    .filter((slug) => slug === first.slug || slug.startsWith(`p-${id.slice(5)}-`))
    .filter((slug) => !pageIn(slug).includes('http-equiv="refresh"'))
  expect(slugs.length, `files of ${id}: ${slugs}`).toBeLessThan(2)
  const shown = slugs.map((slug) => {
    const html = pageIn(slug)
    const title = /T\d+x(?: of \d+)?/.exec(html)?.[0] ?? ''
    return { title, slug, footer: /F\d+x/.exec(html)?.[0] ?? '' }
  })
  history.push({
    invoked,
    answered: performance.now(),
    request: { kind: 'visit', answer, shown: shown[0] ?? null },
  })
}

function expectStatus(answer: Answer, ...allowed: readonly number[]): Answer {
  expect(allowed, JSON.stringify(answer.body)).toContain(answer.status)
  return answer
}

function written(answer: Answer): Seen {
  const { title, status, url } = expectStatus(answer, 200).body.data
  return { title, status, slug: url.slice(url.lastIndexOf('/') + 1) }
}

function read(answer: Answer): Seen {
  const { page_name: title, slug, status } = expectStatus(answer, 200).body.data
  return { title, slug, status }
}
