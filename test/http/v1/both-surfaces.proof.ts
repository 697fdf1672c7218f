import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LONG_FORM, runs } from '../../support/long-form.ts'
import { startService, type TestService } from '../../support/service.ts'

let service: TestService
let project: string
let made = 0

beforeAll(async () => {
  service = await startService()
  project = await service.newProject()
})
afterAll(() => service.close())

const bare = (id: string) => id.replace(/^[a-z]+_/, '')

const LEGACY_TYPES: Readonly<Record<string, string>> = {
  page: 'page',
  article: 'post',
  docs: 'doc',
  item: 'page',
}
const CURRENT_TYPES: Readonly<Record<string, string>> = { post: 'article', doc: 'docs' }

/** How the legacy surface must show what the current one shows. */
// biome-ignore lint/suspicious/noExplicitAny: whatever the current surface answered.
function asLegacy(page: any): object {
  return {
    id: bare(page.id),
    project_id: bare(page.project_id),
    page_name: page.page_name,
    slug: page.slug,
    subroute: page.subroute,
    type: LEGACY_TYPES[page.type],
    markdown_content: page.markdown_content ?? '',
    config: page.config,
    is_published: page.status === 'published',
    created_at: page.created_at,
    updated_at: page.updated_at,
  }
}

const word = fc.stringMatching(/^[A-Za-z0-9-]{1,12}$/).filter((text) => /[A-Za-z0-9]/.test(text))
const json = fc
  .json({ maxDepth: 3 })
  .filter((text) => !text.includes('__proto__'))
  .map((text): unknown => JSON.parse(text))

/** A slug of its own is appended, so that no two pages meet. */
const content = fc.record({
  title: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter(isName),
  slug: word,
  subroute: fc.array(word, { maxLength: 3 }).map((segments) => segments.join('/')),
  type: fc.constantFrom('page', 'article', 'docs', 'item', 'post', 'doc'),
  markdown_content: fc.string({ unit: 'grapheme', maxLength: 60 }),
  // `own` keeps clear of the names that mean something in a config.
  config: fc.record({ own: json }, { requiredKeys: [] }),
})
const surface = fc.constantFrom('legacy', 'current')
const edit = fc.record({
  on: surface,
  fields: fc.record(
    {
      title: content.map(({ title }) => title),
      markdown_content: fc.string(),
      config: fc.record({ own: json }),
    },
    { requiredKeys: [] },
  ),
  type: fc.option(fc.constantFrom('page', 'post', 'doc', 'item')),
  live: fc.boolean(),
})

function isName(text: string): boolean {
  return text.trim() !== '' && !/\p{Cc}/u.test(text) && [...text].length <= 200
}

test.runIf(LONG_FORM)(
  'a page written on either surface reads the same on both, edit after edit',
  async () => {
    await fc.assert(
      fc.asyncProperty(content, surface, fc.array(edit, { maxLength: 4 }), async (fields, on, edits) => {
        const slug = `${fields.slug}-${++made}`
        const id = await create(on, { ...fields, slug })
        let type = CURRENT_TYPES[fields.type] ?? fields.type
        let expected = {
          page_name: fields.title,
          slug: slug.toLowerCase(),
          subroute: fields.subroute.toLowerCase(),
          config: fields.config,
          markdown_content: fields.markdown_content,
          status: 'draft',
        }
        await expectAlike(id, { ...expected, type })

        for (const { on, fields, type: wanted, live } of edits) {
          const { title, ...rest } = fields
          expected = { ...expected, ...rest, ...(title !== undefined && { page_name: title }) }
          if (on === 'legacy') {
            await ok('PUT', `/v1/pages/${id}`, wanted === null ? fields : { ...fields, type: wanted })
            if (type !== 'item' && wanted !== null) type = CURRENT_TYPES[wanted] ?? wanted
            if (live) await ok('POST', '/v1/pages/publish', { pageId: id })
          } else {
            await ok('PUT', `/pages/${id}`, { ...fields, ...(live && { status: 'published' }) })
          }
          if (live) expected = { ...expected, status: 'published' }
          await expectAlike(id, { ...expected, type })
        }
      }),
      { numRuns: runs(40) },
    )
  },
)

/** Returns the bare id. */
async function create(on: string, fields: object): Promise<string> {
  const path = on === 'legacy' ? '/v1/pages' : '/pages'
  const { body } = await ok('POST', path, { project_id: project, ...fields })
  return bare(body.data.id)
}

async function ok(method: string, path: string, body?: object) {
  const answer = await service.call(method, path, body)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer
}

/** @param expected fields of the current surface, but for Markdown: there, empty may show as null. */
async function expectAlike(
  id: string,
  { markdown_content: markdown, ...expected }: Readonly<Record<string, unknown>>,
): Promise<void> {
  const current = (await ok('GET', `/pages/page_${id}`)).body.data
  expect(current).toMatchObject({ id: `page_${id}`, project_id: project })
  for (const [field, value] of Object.entries(expected)) expect(current[field], field).toEqual(value)

  const legacy = (await ok('GET', `/v1/pages/${id}`)).body.data
  expect(legacy).toEqual(asLegacy(current))
  expect(legacy.markdown_content).toBe(markdown)

  const list = (await ok('GET', `/v1/pages?project_id=${bare(project)}&limit=1`)).body.data
  const { markdown_content: _, config: __, ...item } = legacy
  expect(list).toEqual([item])
}
