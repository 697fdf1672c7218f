import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { describe, expect, test } from 'vitest'
import { decryptPage } from '../../src/client/decrypt-page.ts'
import { createInProcessRenderer } from '../../src/renderer/in-process.ts'
import { startCommand } from '../support/command.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { createRandom, type Random } from '../support/random.ts'
import { type Answer, pageBody, startService, type TestService } from '../support/service.ts'
import { databaseSettings } from '../support/test-database.ts'
import { linearize } from './linearizable.ts'
import { LONG, LONG_TIMEOUT_MS, SEED } from './long-form.ts'
import {
  modelKey,
  type PageModel,
  type Recorded,
  type Request,
  type Seen,
  type Shown,
  stepsOf,
} from './page-model.ts'

const WRITERS = 32
const PAGES = 20
const OPERATIONS = LONG === null ? (LONG_FORM ? 250 : 100) : 10_000
/** A new key seals every page again, so each costs more. */
const SEALED_OPERATIONS = LONG === null ? 60 : 4_000
const SEEDS = LONG === null ? [SEED] : [0, 1, 2, 3, 4].map((n) => SEED + n)

/** How the files of one sort of site are asked for and read. */
interface SiteKind {
  readonly operations: number
  /** Keys that were handed out, in the order of their answers; null for a site that is not sealed. */
  readonly keys: string[] | null
}

interface Subject {
  readonly id: string
  readonly first: PageModel
  readonly history: Recorded[]
}

describe('many writers at once', () => {
  test.each(SEEDS)(
    `find each page in states that one order explains, and the store in the last one: ${OPERATIONS} operations, seed %i`,
    (seed) => check(seed, { operations: OPERATIONS, keys: null }),
    LONG_TIMEOUT_MS,
  )

  test.runIf(LONG !== null || LONG_FORM).each(SEEDS)(
    `find the same in Data Mode while keys change, and all of it under the key that holds: ${SEALED_OPERATIONS} operations, seed %i`,
    (seed) => check(seed, { operations: SEALED_OPERATIONS, keys: [] }),
    LONG_TIMEOUT_MS,
  )
})

async function check(seed: number, kind: SiteKind): Promise<void> {
  const service = await startService({ renderer: createInProcessRenderer })
  try {
    const project = await service.newProject()
    if (kind.keys !== null) await newKey(service, project, 'enable', kind.keys)
    const subjects: Subject[] = []
    for (let n = 0; n < PAGES; n++) subjects.push(await subject(service, project, n))
    await work(service, project, subjects, kind, createRandom(seed))
    await settled(service, project)
    const read =
      kind.keys === null ? readPlain : await sealedReader(join(service.data, 'cdn', project), kind.keys)
    for (const one of subjects) await visit(service, project, one, read)

    for (const { first, history } of subjects) {
      const steps = stepsOf(history)
      const verdict = linearize(steps, first, modelKey)
      expect(verdict, JSON.stringify(history)).toEqual({ isLinearizable: true, explained: steps.length })
    }
    const env = await databaseSettings(service.data)
    const { code, out } = await startCommand(['verify', '--data', service.data], env).ended
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('agree') })
  } finally {
    await service.close()
  }
}

async function subject(service: TestService, project: string, n: number): Promise<Subject> {
  const [title, slug] = [`T0x of ${n}`, `p${n}-0`]
  const { body } = await service.call('POST', '/pages', pageBody(project, { title, slug }))
  return { id: body.data.id, first: { title, slug, footer: '', live: null, taken: {} }, history: [] }
}

async function work(
  service: TestService,
  project: string,
  subjects: readonly Subject[],
  { operations, keys }: SiteKind,
  random: Random,
): Promise<void> {
  let left = operations
  const writer = async () => {
    while (left-- > 0) {
      if (keys !== null && random.below(100) < 4) await newKey(service, project, 'regenerate-key', keys)
      const { id, history } = random.pick(subjects)
      const invoked = performance.now()
      const { request, isShared } = await ask(service, project, id, random, left)
      // Nothing that is sealed shows a setting.
      if (isShared && keys !== null) continue
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
  return own({ kind: 'read', answer: seen(await call('GET', `/pages/${id}`)) })
}

/** Another publish goes live only when all that failed before it has been put back. */
async function settled(service: TestService, project: string): Promise<void> {
  const { body } = await service.call('POST', '/pages', pageBody(project, { slug: 'last' }))
  const publish = async () => (await service.call('POST', `/pages/${body.data.id}/publish`)).status
  await expect.poll(publish).toBe(200)
}

/** The last step of a page's history: what the API says of it, and the one file that names it. */
async function visit(
  service: TestService,
  project: string,
  { id, first, history }: Subject,
  read: Reader,
): Promise<void> {
  const invoked = performance.now()
  const answer = seen(await service.call('GET', `/pages/${id}`))
  const shown = await read(
    join(service.data, 'cdn', project),
    (slug) => slug === first.slug || slug.startsWith(`p-${id.slice(5)}-`),
  )
  expect(shown.length, `files of ${id}: ${JSON.stringify(shown)}`).toBeLessThan(2)
  history.push({
    invoked,
    answered: performance.now(),
    request: { kind: 'visit', answer, shown: shown[0] ?? null },
  })
}

/** The state that the files of a page show, by the slugs in the second argument. */
type Reader = (folder: string, isOwn: (slug: string) => boolean) => Promise<readonly Shown[]>

const readPlain: Reader = async (folder, isOwn) => {
  const pages = readdirSync(folder)
    .filter(isOwn)
    .map((slug) => ({ slug, html: readFileSync(join(folder, slug, 'index.html'), 'utf8') }))
    .filter(({ html }) => !html.includes('http-equiv="refresh"'))
  return pages.map(({ slug, html }) => {
    const title = /T\d+x(?: of \d+)?/.exec(html)?.[0] ?? ''
    return { title, slug, footer: /F\d+x/.exec(html)?.[0] ?? '' }
  })
}

/** Reads with the one key that holds. @throws when a key that was replaced opens anything, or none opens all. */
async function sealedReader(root: string, keys: readonly string[]): Promise<Reader> {
  const names = readdirSync(root).filter((file) => file.endsWith('.json') && !file.startsWith('_'))
  const files = names.map((file) => JSON.parse(readFileSync(join(root, file), 'utf8')))
  const opened = await Promise.all(
    keys.map(async (key) => {
      const pages = await Promise.allSettled(files.map((file) => decryptPage(key, file)))
      return pages.filter(({ status }) => status === 'fulfilled').length
    }),
  )
  expect(keys.length).toBeGreaterThan(1)
  expect(opened.filter((count) => count > 0)).toEqual([files.length])
  const holding = keys[opened.indexOf(files.length)] ?? ''

  return async (folder, isOwn) => {
    const own = readdirSync(folder).filter((file) => file.endsWith('.json') && isOwn(file.slice(0, -5)))
    return Promise.all(
      own.map(async (file) => {
        const page = await decryptPage(holding, JSON.parse(readFileSync(join(folder, file), 'utf8')))
        return { title: String(page.title), slug: String(page.slug), footer: '' }
      }),
    )
  }
}

/** A key that was replaced before its answer is not told to anybody. */
async function newKey(
  service: TestService,
  project: string,
  action: 'enable' | 'regenerate-key',
  keys: string[],
): Promise<void> {
  const { status, body } = await service.call('POST', `/projects/${project}/data-mode/${action}`)
  expect([200, 400, 500], JSON.stringify(body)).toContain(status)
  if (status === 200) keys.push(body.data.encryption_key)
}

function expectStatus(answer: Answer, ...allowed: readonly number[]): Answer {
  expect(allowed, JSON.stringify(answer.body)).toContain(answer.status)
  return answer
}

function written(answer: Answer): Seen {
  const { title, status, url } = expectStatus(answer, 200).body.data
  return { title, status, slug: url.slice(url.lastIndexOf('/') + 1) }
}

function seen(answer: Answer): Seen {
  const { page_name: title, slug, status } = expectStatus(answer, 200).body.data
  return { title, slug, status }
}
