import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFinder } from '../../themes/_shared/scripts/search/find.js'
import { LONG_FORM } from '../support/long-form.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string
/** Runs ahead while something is waited for, so that nothing is waited for long. */
let ahead = 0
const now = () => new Date(Date.now() + ahead).toISOString()

beforeAll(async () => {
  service = await startService({ now })
  project = await service.newProject('Acme')
})
afterAll(() => service.close())

async function file(key: string): Promise<string | null> {
  const response = await fetch(`${service.url}/public/${project}/${key}`)
  return response.status === 200 ? response.text() : null
}

/** Search results for a visitor who opens the site now. */
async function found(query: string): Promise<readonly string[]> {
  const find = createFinder(async (name) => {
    const text = await file(name)
    if (text === null) throw new Error(`${name} is missing.`)
    return JSON.parse(text)
  })
  return (await find(query, 100)).hits.map(
    ({ path, section }) => path + (section ? `#${section.anchor}` : ''),
  )
}

async function make(slug: string, markdown: string, fields: object = {}): Promise<string> {
  const body = {
    project_id: project,
    title: slug,
    slug,
    subroute: 'docs',
    type: 'docs',
    markdown_content: markdown,
  }
  const page = (await service.call('POST', '/pages', { ...body, ...fields })).body.data.id
  await service.call('POST', `/pages/${page}/publish`)
  return page
}

async function soon(claim: () => Promise<boolean>): Promise<void> {
  for (
    const end = Date.now() + 20_000;
    Date.now() < end;
    await new Promise((done) => setTimeout(done, 100))
  ) {
    ahead += 500
    if (await claim().catch(() => false)) return
  }
  throw new Error('It did not come true in time.')
}

/** Every file of the index that a visitor could read. */
async function indexText(): Promise<string> {
  const manifest = (await file('_search.json')) ?? '{}'
  const names = [...manifest.matchAll(/"([0-9a-f]{16})"/g)].map(([, name]) => name)
  const shards = await Promise.all(names.map((name) => file(`_search/${name}.json`)))
  expect(shards).not.toContain(null)
  return manifest + shards.join('')
}

test('search finds a published page soon, by section, and no longer finds it after an unpublish', async () => {
  expect(await file('_search.json')).toBeNull()
  const wedge = await make('wedge', 'A lead.\n\n## Locking up\n\nDrive the quoin home.')
  const other = await make('other', 'Chase and furniture.')
  await make('hidden', 'Xylography.', { meta: { robots: 'noindex' } })
  await soon(async () => (await found('quoin')).length > 0 && (await found('furniture')).length > 0)
  expect(await found('quoin')).toEqual(['/docs/wedge#locking-up'])
  expect(await found('xylography')).toEqual([])

  await service.call('PUT', `/pages/${other}`, { markdown_content: 'Composing stick.' })
  expect(await found('furniture')).toEqual(['/docs/other'])
  await service.call('POST', `/pages/${other}/publish`)
  await soon(async () => (await found('composing stick')).length > 0)
  expect(await found('furniture')).toEqual([])

  await service.call('POST', `/pages/${wedge}/unpublish`)
  expect(await found('quoin')).toEqual([])
  expect(await indexText()).not.toMatch(/quoin|locking/i)
  await service.call('DELETE', `/pages/${other}`)
  expect(await file('_search.json')).toBeNull()
})

test.runIf(LONG_FORM)('a large site is found as a whole, page by page taken down and put back', async () => {
  project = await service.newProject('Large')
  const ids: string[] = []
  for (let start = 0; start < 60; start += 20) {
    const made = Array.from({ length: 20 }, (_, index) => {
      const words = Array.from({ length: 200 }, (_, at) => `w${start + index}x${at}`).join(' ')
      return make(`page-${start + index}`, `Common ${words}`)
    })
    ids.push(...(await Promise.all(made)))
  }
  await soon(async () => (await found('common')).length === 60 && (await found('w59x199')).length === 1)
  for (const number of [0, 37, 59]) {
    expect(await found(`w${number}x7`)).toEqual([`/docs/page-${number}`])
    await service.call('POST', `/pages/${ids[number]}/unpublish`)
    expect(await found(`w${number}x7`)).toEqual([])
    expect(await indexText()).not.toContain(`/docs/page-${number}"`)
  }
  await service.call('POST', `/pages/${ids[37]}/publish`)
  await soon(async () => (await found('w37x7')).length === 1)
  await soon(async () => !(await indexText()).includes('w59x7'))
  expect(await found('w37x7')).toEqual(['/docs/page-37'])

  await service.call('PUT', `/pages/${ids[5]}`, { markdown_content: 'Rewritten.' })
  await service.call('POST', `/pages/${ids[5]}/publish`)
  await soon(async () => (await found('rewritten')).length === 1)
  expect(await found('w5x7')).toEqual([])
  expect(await indexText()).toContain(' w5x7')
  ahead += 60 * 60 * 1000
  await soon(async () => !(await indexText()).includes(' w5x7'))
  expect(await found('rewritten')).toEqual(['/docs/page-5'])
})

test('llms-full.txt has the Markdown of the published pages soon, and not of those that were taken off', async () => {
  project = await service.newProject('Words')
  const page = await make('full', 'Every word of the page.')
  const text = async () => (await file('llms-full.txt')) ?? ''
  await soon(async () => (await text()).includes('Every word of the page.'))
  expect(await text()).toMatch(/^# Words\n/)
  await service.call('POST', `/pages/${page}/unpublish`)
  expect(await text()).not.toContain('Every word of the page.')
})

test('in Data Mode there is no index from the first encrypted publish on', async () => {
  project = await service.newProject('Sealed')
  const page = await make('secret', 'Plainly readable.')
  await soon(async () => (await found('readable')).length === 1)
  await service.call('POST', `/projects/${project}/data-mode/enable`)
  expect(await found('readable')).toHaveLength(1)
  await service.call('POST', `/pages/${page}/publish`)
  expect(await file('_search.json')).toBeNull()
})
