import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../support/long-form.ts'
import { createMemoryStorage } from '../support/memory-storage.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

/* Random sequences of requests about assets, and a model of what is stored, named and counted after each. */

const NAMES = ['a.png', 'b.svg', 'c d.png']
const TEXTS = ['one', 'another', 'the third text']
const name = fc.nat(NAMES.length - 1)
const text = fc.nat(TEXTS.length - 1)
const flag = fc.boolean()

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('upload' as const), name, text }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('replace' as const), name, text }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('rename' as const), name, to: name }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('delete' as const), name, force: flag }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('edit' as const), names: fc.uniqueArray(name) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('publish' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('unpublish' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('rollback' as const), back: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('tidy' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('logo' as const), name }) },
)

interface Model {
  /** Texts by the names of assets. */
  readonly assets: Map<number, { readonly id: string; readonly text: number }>
  draft: readonly number[]
  live: readonly number[] | null
  logo: number | null
  liveLogo: number | null
  /** Texts that the live page shows: those that it names, and the logo of its time. */
  pageTexts: readonly number[]
  /** Texts that the site's own files show: the logo as it was when they were written. */
  siteTexts: readonly number[]
  /** Publishes of the page, oldest first. */
  readonly releases: Release[]
  /** Texts that some release shows: their bytes may stay as long as the release can be rolled back to. */
  readonly pinned: Set<number>
}

interface Release {
  readonly id: string
  /** Names in the page. */
  readonly names: readonly number[]
  /** What the page showed: what its names and its logo meant. */
  readonly texts: readonly number[]
}

/** Longer than files that nothing shows stay public. */
const TIDY_MS = 25 * 60 * 60 * 1000

test('after any sequence of requests, assets, their bytes and their uses are those of the model', async () => {
  const mediaStore = createMemoryStorage()
  const storage = createMemoryStorage()
  let time = Date.parse('2026-01-01T00:00:00Z')
  const now = () => new Date(time++).toISOString()
  const service = await startService({ mediaStore, storage, now })
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const project = await service.newProject()
        const page = (await service.call('POST', '/pages', pageBody(project))).body.data.id
        const model = newModel()
        for (const next of steps) {
          if (next.does === 'tidy') await tidy()
          else await take(service, project, page, model, next)
          await compare(service, project, model)
          const shown = [...new Set(liveTexts(model).map(digestOf))].sort()
          const published = await publishedDigests(project)
          expect(published).toEqual(expect.arrayContaining(shown))
          if (next.does === 'tidy') expect([...new Set(published)].sort()).toEqual(shown)
          const prefix = `${project}/originals/`
          const stored = (await mediaStore.list(prefix)).map((key) => key.slice(prefix.length, -17))
          const texts = [...model.assets.values()].map(({ text }) => text)
          expect(stored).toEqual(expect.arrayContaining([...texts, ...liveTexts(model)].map(digestOf)))
          expect([...texts, ...model.pinned].map(digestOf)).toEqual(expect.arrayContaining(stored))
        }
      }),
      { numRuns: runs(40) },
    )
  } finally {
    await service.close()
  }

  /** Twice, because a file that nothing shows stays for another day. */
  async function tidy(): Promise<void> {
    for (let day = 0; day < 2; day++) {
      time += TIDY_MS
      await service.server.service.runHousekeeping()
    }
  }

  /** Of the bytes; keys say so too. */
  async function publishedDigests(project: string): Promise<readonly string[]> {
    const keys = await storage.list(`${project}/_media/`)
    return Promise.all(
      keys.map(async (key) => {
        const digest = createHash('sha256')
          .update((await storage.get(key)) ?? '')
          .digest('hex')
        expect(key).toContain(`.${digest.slice(0, 16)}.`)
        return digest
      }),
    )
  }
}, 600_000)

function newModel(): Model {
  return {
    assets: new Map(),
    draft: [],
    live: null,
    logo: null,
    liveLogo: null,
    pageTexts: [],
    siteTexts: [],
    releases: [],
    pinned: new Set(),
  }
}

/** The page shows these texts from now on. */
function showOnPage(model: Model, texts: readonly number[]): void {
  model.pageTexts = texts
  for (const text of texts) model.pinned.add(text)
}

/** The site has the settings of this moment from now on. A rollback restores those of its page alone. */
function showSettings(model: Model): void {
  model.liveLogo = model.logo
  model.siteTexts = logoTexts(model)
  for (const text of model.siteTexts) model.pinned.add(text)
}

function logoTexts(model: Model): readonly number[] {
  return model.logo === null ? [] : textsOf(model, [model.logo])
}

function liveTexts({ pageTexts, siteTexts }: Model): readonly number[] {
  return [...pageTexts, ...siteTexts]
}

function textsOf({ assets }: Model, names: readonly number[]): readonly number[] {
  return names.flatMap((name) => assets.get(name)?.text ?? [])
}

async function take(
  service: TestService,
  project: string,
  page: string,
  model: Model,
  next: Exclude<Step, { readonly does: 'tidy' }>,
): Promise<void> {
  const { assets } = model
  const headers = { 'Content-Type': 'application/octet-stream' }
  const bytesOf = (index: number) => Buffer.from(TEXTS[index] ?? '')
  const known = 'name' in next ? assets.get(next.name) : undefined
  const path = `/assets/${known?.id ?? `ast_${'a'.repeat(16)}`}`

  if (next.does === 'upload') {
    const address = `/projects/${project}/assets?name=${encodeURIComponent(NAMES[next.name] ?? '')}`
    const { status, body } = await service.call('POST', address, bytesOf(next.text), { headers })
    expect(status).toBe(known === undefined ? 201 : known.text === next.text ? 200 : 400)
    if (status === 201) assets.set(next.name, { id: body.data.id, text: next.text })
  } else if (next.does === 'replace') {
    const { status } = await service.call('PUT', `${path}/content`, bytesOf(next.text), { headers })
    expect(status).toBe(known === undefined ? 404 : 200)
    if (known !== undefined) assets.set(next.name, { ...known, text: next.text })
  } else if (next.does === 'rename') {
    const { status } = await service.call('PUT', path, { name: NAMES[next.to] })
    const isTaken = next.to !== next.name && assets.has(next.to)
    expect(status).toBe(known === undefined ? 404 : isTaken ? 400 : 200)
    if (status !== 200 || known === undefined) return
    assets.delete(next.name)
    assets.set(next.to, known)
  } else if (next.does === 'delete') {
    const { status } = await service.call('DELETE', `${path}?force=${next.force}`)
    const isShown = model.live?.includes(next.name) || model.liveLogo === next.name
    expect(status).toBe(known === undefined ? 404 : isShown && !next.force ? 400 : 200)
    if (status === 200) assets.delete(next.name)
  } else if (next.does === 'edit') {
    const lines = next.names.map((index) => `[file](<${`/media/${NAMES[index]}`}>)`)
    await service.call('PUT', `/pages/${page}`, { markdown_content: `Text.\n\n${lines.join('\n')}` })
    model.draft = next.names
  } else if (next.does === 'publish') {
    expect((await service.call('POST', `/pages/${page}/publish`)).status).toBe(200)
    const [{ id }] = (await service.call('GET', `/pages/${page}/releases?limit=1`)).body.data
    const texts = [...textsOf(model, model.draft), ...logoTexts(model)]
    model.live = model.draft
    model.releases.push({ id, names: model.draft, texts })
    showOnPage(model, texts)
    showSettings(model)
  } else if (next.does === 'rollback') {
    const release = model.releases.at(-1 - next.back)
    if (release === undefined) return
    const body = { release_id: release.id }
    const answer = await service.call('POST', `/pages/${page}/rollback`, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    model.live = release.names
    showOnPage(model, release.texts)
  } else if (next.does === 'unpublish') {
    await service.call('POST', `/pages/${page}/unpublish`)
    if (model.live !== null) {
      showOnPage(model, [])
      showSettings(model)
    }
    model.live = null
  } else {
    await service.call('PUT', `/projects/${project}/settings`, {
      logo_url: `/media/${encodeURI(NAMES[next.name] ?? '')}`,
    })
    model.logo = next.name
  }
}

async function compare(
  service: TestService,
  project: string,
  { assets, draft, live, logo, liveLogo }: Model,
) {
  const { body } = await service.call('GET', `/projects/${project}/assets?sort=name&order=asc`)
  const expected = [...assets].map(([index, { id, text: content }]) => ({
    id,
    name: NAMES[index] ?? '',
    digest: digestOf(content),
    used_by:
      Number(draft.includes(index) || live?.includes(index) === true) +
      Number(logo === index || liveLogo === index),
  }))
  expected.sort((a, b) => (a.name < b.name ? -1 : 1))
  expect(
    body.data.map(({ id, name, digest, used_by }: (typeof expected)[number]) => ({
      id,
      name,
      digest,
      used_by,
    })),
  ).toEqual(expected)
}

function digestOf(index: number): string {
  return createHash('sha256')
    .update(TEXTS[index] ?? '')
    .digest('hex')
}
