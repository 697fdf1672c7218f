import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runs } from '../support/long-form.ts'
import { type Answer, pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string
let pages: readonly string[]

beforeAll(async () => {
  service = await startService()
  project = await service.newProject()
  pages = await Promise.all(
    ['page', 'article', 'docs', 'item'].map(async (type) => {
      const { body } = await service.call('POST', '/pages', pageBody(project, { slug: `a-${type}`, type }))
      return body.data.id
    }),
  )
})
afterAll(() => service.close())

/** A success, or the flat error body under its own status; never a fault of the service. */
function expectAnswered({ status, body }: Answer): void {
  expect(status).toBeLessThan(500)
  if (status < 400) return
  expect(Object.keys(body).sort()).toEqual(['message', 'name', 'statusCode'])
  expect(body).toMatchObject({ statusCode: status, name: expect.stringMatching(/^[a-z_]+$/) })
  expect(body.message).toMatch(/\S/)
}

const ENDPOINTS = [
  ['POST', () => '/projects'],
  ['PUT', () => `/projects/${project}`],
  ['PUT', () => `/projects/${project}/settings`],
  ['PUT', () => `/v1/projects/${project}/settings`],
  ['POST', () => '/pages'],
  ['PUT', () => `/pages/${pages[0]}`],
  ['PUT', () => `/pages/${pages[1]}`],
  ['PUT', () => `/pages/${pages[2]}`],
  ['PUT', () => `/pages/${pages[3]}`],
  ['POST', () => `/pages/${pages[0]}/publish`],
  ['POST', () => `/pages/${pages[0]}/unpublish`],
] as const

const FIELDS = [
  ...[
    'project_id',
    'title',
    'page_name',
    'slug',
    'subroute',
    'type',
    'status',
    'description',
    'og_image_url',
  ],
  ...['meta', 'config', 'markdown_content', 'publish_date', 'author', 'nav_order', 'parent_page', 'name'],
  ...['domain', 'settings', 'hosting', 'theme', 'favicon_url', 'meta_title', 'meta_description', 'nav_links'],
  ...['google_analytics_id', 'custom_head_html', 'footer_text', 'docs_nav', 'shared_header', 'shared_footer'],
  ...['branding', 'site_routes', 'data_mode', 'sections', 'props', 'items', 'actions', 'logo', 'custom_css'],
  ...['mode', 'subdomain', 'custom_domain', 'label', 'href', 'links', 'children', 'avatar', 'length', 'then'],
  ...['constructor', 'toString', 'toJSON', '$where', ''],
] as const

/** Values that are near enough to right to get far. */
const leaf = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('page', 'docs', 'published', 'dark', 'hero', '/a.png', '2026-01-01', 'x'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('\u0000', '\ufeff', '﷽', '9'.repeat(400), '../..', '%00', '<script>'),
  },
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
)

const { body: bodies } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 5, depthSize: 'small' }, leaf, tie('list'), tie('body')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  body: fc.dictionary(
    fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...FIELDS) }, fc.string()),
    tie('value'),
    { maxKeys: 6 },
  ),
}))

describe('no input is answered with a fault of the service:', () => {
  test.each(['og_image_url', 'title', 'publish_date', 'meta'])(
    'a length that is no number, in %s',
    async (field) => {
      const hostile = { length: { toString: 0 } }
      const body = { [field]: field === 'meta' ? { title: hostile } : hostile }
      const answer = await service.call('PUT', `/pages/${pages[3]}`, body)
      expect(answer).toMatchObject({ status: 422, body: { name: 'validation_error' } })
      expect(answer.body.message).toContain(field)
    },
  )

  test('any JSON object as a body', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...ENDPOINTS), bodies, async ([method, path], body) => {
        expectAnswered(await service.call(method, path(), body))
      }),
      { numRuns: runs(250) },
    )
  })

  test('any bytes as a body', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...ENDPOINTS),
        fc.oneof(fc.uint8Array({ maxLength: 60 }), fc.string({ unit: 'binary' }), fc.json()),
        async ([method, path], body) => expectAnswered(await service.call(method, path(), body)),
      ),
      { numRuns: runs(100) },
    )
  })

  test('any query to any endpoint', async () => {
    const name = fc.constantFrom(
      ...['project_id', 'limit', 'offset', 'sort', 'order', 'status', 'type', 'slug', 'subroute', 'domain'],
      ...['created_after', 'created_before', 'include_content', 'include_sections', 'theme'],
    )
    const value = fc.oneof(leaf.map(String), fc.stringMatching(/^[-+0-9.eTZ:*]{0,24}$/))
    const queries = fc.array(fc.tuple(name, value), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(queries, async (pairs) => {
        const query = pairs.map(([key, text]) => `${key}=${encodeURIComponent(text)}`).join('&')
        for (const path of [`/pages?project_id=${project}&`, '/pages?', '/projects?', `/pages/${pages[0]}?`])
          expectAnswered(await service.call('GET', path + query))
      }),
      { numRuns: runs(100) },
    )
  })

  test('any method and path', async () => {
    const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'REPORT')
    const segment = fc.oneof(
      fc.constantFrom(
        'pages',
        'projects',
        'settings',
        'publish',
        'users',
        'me',
        'v1',
        '..',
        '.',
        '%',
        '%2e%2e',
        '',
      ),
      fc.string({ unit: 'binary', maxLength: 8 }).map(encodeURIComponent),
    )
    await fc.assert(
      fc.asyncProperty(method, fc.array(segment, { maxLength: 5 }), async (verb, segments) => {
        const answer = await service.call(verb, `/${segments.join('/')}`)
        expect(answer.status).toBeLessThan(500)
        if (verb !== 'HEAD') expectAnswered(answer)
      }),
      { numRuns: runs(100) },
    )
  })

  test.each([
    [90_000, 422],
    [1_000_000, 413],
  ])('lists of %d wrong elements, each refused in a short message', async (length, status) => {
    const ones = Array.from({ length }, () => 1)
    const config = {
      sections: Array.from({ length: 10 }, () => ({ type: 'features', items: ones.slice(0, length / 10) })),
    }
    const attacks = [
      ['PUT', `/projects/${project}/settings`, { nav_links: ones }],
      ['PUT', `/v1/projects/${project}/settings`, { docs_nav: ones }],
      ['PUT', `/v1/projects/${project}/settings`, { docs_nav: [{ title: 'One', children: ones }] }],
      ['PUT', `/v1/projects/${project}/settings`, { shared_header: { links: ones } }],
      ['PUT', `/v1/projects/${project}/settings`, { shared_footer: { links: ones } }],
      ['PUT', `/pages/${pages[0]}`, { config: { sections: ones } }],
      ['PUT', `/pages/${pages[0]}`, { config }],
      ['PUT', `/pages/${pages[0]}`, { author: ones }],
    ] as const
    for (const [method, path, body] of attacks) {
      const answer = await service.call(method, path, body)
      expect(answer.status).toBe(status)
      expect(answer.body.message.length).toBeLessThan(50_000)
    }
  })
})
