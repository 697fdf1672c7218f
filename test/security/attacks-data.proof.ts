import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareOf } from '../support/long-form.ts'
import { type Answer, pageBody, startService, type TestService } from '../support/service.ts'

/* Texts that attack SQL, JavaScript objects and Unicode comparison. */

let service: TestService
let project: string
let page: string
let strangers: string
let made = 0

beforeAll(async () => {
  service = await startService()
  project = await service.newProject()
  page = (await service.call('POST', '/pages', pageBody(project))).body.data.id
  const key = await service.newKey({ user: await service.newUser() })
  strangers = (await service.call('POST', '/projects', { name: 'Tamarind' }, { key })).body.data.id
  await service.call('POST', '/pages', pageBody(strangers, { title: 'Tamarind' }), { key })
})
afterAll(() => service.close())

const create = (fields: object) =>
  service.call('POST', '/pages', pageBody(project, { slug: `made-${++made}`, ...fields }))
const read = async (id: string) => (await service.call('GET', `/pages/${id}`)).body.data
const settings = async () => (await service.call('GET', `/v1/projects/${project}/settings`)).body.data

const SQL = [
  ...[
    "'",
    '"',
    "' OR '1'='1",
    "' OR 1=1 --",
    "'; DROP TABLE pages; --",
    '"; DROP TABLE pages; --',
    "') OR ('a'='a",
  ],
  ...[
    "' UNION SELECT key_hash FROM keys --",
    '1; SELECT 1',
    '??',
    ':id',
    '$1',
    '?',
    '%',
    '_',
    '%%',
    "\\'",
    '\\',
  ],
  ...['a\u0000b', "x' || (SELECT name FROM projects) || '", '*', '*%*', '[a-z]*', "*' OR '1'='1", '/*', '--'],
  ...['(SELECT 1)', 'id, (SELECT 1)', 'created_at; DROP TABLE pages', 'NULL', 'randomblob(1000000000)'],
]

/** Expects a refusal of the value, or a response without data of other users. */
function expectOwn({ status, body }: Answer): void {
  expect([200, 201, 404, 422]).toContain(status)
  expect(JSON.stringify(body)).not.toMatch(/Tamarind|SQLITE|syntax error|no such/)
}

describe('SQL in', () => {
  const PARAMETERS = [
    ...[
      'project_id',
      'type',
      'subroute',
      'status',
      'slug',
      'sort',
      'order',
      'limit',
      'offset',
      'created_after',
    ],
    ...[
      'created_before',
      'updated_after',
      'updated_before',
      'include_content',
      'domain',
      'format',
      'include',
    ],
  ]

  test.each(PARAMETERS.map((name, turn) => [name, turn] as const))(
    'the parameter %s is compared as a value',
    async (name, turn) => {
      for (const attack of shareOf(SQL, 6, turn)) {
        const given = `${name}=${encodeURIComponent(attack)}`
        for (const path of [
          `/pages?project_id=${project}&`,
          '/pages?',
          '/projects?',
          `/pages/${page}?`,
          '/v1/pages?',
        ]) {
          const answer = await service.call('GET', path + given)
          expectOwn(answer)
          const isSearch = name === 'slug' && path.includes('project_id') && !/[*\0]/.test(attack)
          if (isSearch) expect(answer.body.meta.total).toBe(0)
        }
      }
    },
  )

  test('an id finds nothing', async () => {
    for (const attack of shareOf(SQL, 3, 0)) {
      const id = encodeURIComponent(attack)
      for (const path of [
        `/pages/${id}`,
        `/projects/${id}`,
        `/v1/pages/${id}`,
        `/render/${id}`,
        `/projects/${id}/settings`,
      ])
        expect([path, (await service.call('GET', path)).status]).toEqual([path, 404])
      const expected = attack.includes('\0') ? 422 : 404
      expect((await service.call('POST', '/v1/pages/publish', { pageId: attack })).status).toBe(expected)
      expect((await create({ project_id: attack })).status).toBe(expected)
    }
  })

  test('a slug pattern matches literally, including wildcards of SQL', async () => {
    for (const slug of ['a-b', 'a-bc']) await create({ slug })
    const total = async (pattern: string) =>
      (await service.call('GET', `/pages?project_id=${project}&slug=${encodeURIComponent(pattern)}`)).body
        .meta.total
    expect(await total('a_b*')).toBe(0)
    expect(await total('a%')).toBe(0)
    expect(await total('%*')).toBe(0)
    expect(await total('\\a-b*')).toBe(0)
    expect(await total('a-b*')).toBe(2)
    expect(await total('A-B*')).toBe(2)
  })

  test('texts of a body are stored unchanged', async () => {
    for (const attack of shareOf(SQL, 3, 1).filter((text) => !text.includes('\0'))) {
      const title = `x${attack}`
      const fields = { title, description: attack, markdown_content: attack, meta: { keywords: attack } }
      const created = await create({ ...fields, config: { [attack]: attack } })
      expect(created.status).toBe(201)
      const { page_name, ...shown } = await read(created.body.data.id)
      expect({ ...shown, title: page_name }).toMatchObject({ ...fields, config: { [attack]: attack } })
    }
    expect(
      (await service.call('GET', `/pages?project_id=${project}&limit=1`)).body.meta.total,
    ).toBeGreaterThan(SQL.length / 3)
  })
})

describe('the keys of every JavaScript object', () => {
  const NAMES = [
    'constructor',
    'prototype',
    'toString',
    'valueOf',
    'hasOwnProperty',
    '__defineGetter__',
    'then',
    'toJSON',
  ]
  const POISON = { polluted: 'yes', isAdmin: true, prototype: { polluted: 'yes' } }
  const clean = () => {
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(([] as unknown as Record<string, unknown>)['polluted']).toBeUndefined()
    expect((() => {}) as unknown as Record<string, unknown>).not.toHaveProperty('polluted')
    expect(Object.keys(Object.getOwnPropertyDescriptors(Object.prototype))).toEqual(BUILT_IN)
  }
  const BUILT_IN = Object.keys(Object.getOwnPropertyDescriptors(Object.prototype))

  const WRITES: readonly (readonly [
    string,
    (value: object) => readonly [method: string, path: string, body: object],
  ])[] = [
    ['a page', (value) => ['POST', '/pages', pageBody(project, value)]],
    ['meta', (value) => ['PUT', `/pages/${page}`, { meta: value }]],
    ['config', (value) => ['PUT', `/pages/${page}`, { config: value }]],
    ['an author', (value) => ['PUT', `/pages/${page}`, { author: { name: 'A', ...value } }]],
    ['settings', (value) => ['PUT', `/projects/${project}`, { settings: value }]],
    ['hosting', (value) => ['PUT', `/projects/${project}`, { hosting: value }]],
    ['the settings resource', (value) => ['PUT', `/projects/${project}/settings`, value]],
    ['branding', (value) => ['PUT', `/v1/projects/${project}/settings`, { branding: value }]],
    ['shared_header', (value) => ['PUT', `/v1/projects/${project}/settings`, { shared_header: value }]],
    ['shared_footer', (value) => ['PUT', `/v1/projects/${project}/settings`, { shared_footer: value }]],
    ['site_routes', (value) => ['PUT', `/v1/projects/${project}/settings`, { site_routes: value }]],
    [
      'docs_nav',
      (value) => ['PUT', `/v1/projects/${project}/settings`, { docs_nav: [{ title: 'A', ...value }] }],
    ],
    ['legacy settings', (value) => ['PUT', `/v1/projects/${project}`, { settings: value }]],
  ]

  test.each(WRITES.map(([place, write], turn) => [place, write, turn] as const))(
    'in %s reach no prototype',
    async (_, write, turn) => {
      for (const name of shareOf(NAMES, 4, turn)) {
        const answer = await service.call(...write({ [name]: POISON }))
        expect([200, 201, 422]).toContain(answer.status)
        clean()
      }
      const [method, path, body] = write({ MARK: POISON })
      const poisoned = JSON.stringify(body).replace('MARK', '__proto__')
      for (const text of [poisoned, poisoned.replace('__proto__', '\\u005f_proto__')]) {
        const answer = await service.call(method, path, text)
        expect([answer.status, answer.body.name]).toEqual([422, 'invalid_request'])
        clean()
      }
    },
  )

  test('are stored unchanged where they are accepted, and never appear in other fields', async () => {
    const config = { constructor: { prototype: { polluted: 'yes' } }, toString: 'a', hasOwnProperty: 1 }
    const id = (await create({ type: 'item', config })).body.data.id
    expect((await read(id)).config).toEqual(config)
    await service.call('PUT', `/v1/projects/${project}/settings`, {
      branding: { constructor: 'a', toString: 'b' },
    })
    const { branding, site_routes: routes } = await settings()
    expect(branding).toMatchObject({ constructor: 'a', toString: 'b' })
    expect(Object.keys(routes)).toEqual([])
    expect((await service.call('POST', `/pages/${id}/publish`)).status).toBe(200)
  })

  test('match no section, theme, type, sort field or route', async () => {
    for (const name of ['__proto__', ...shareOf(NAMES, 3, 0)]) {
      for (const query of [`sort=${name}`, `type=${name}`, `status=${name}`])
        expect((await service.call('GET', `/pages?project_id=${project}&${query}`)).status).toBe(422)
      expect((await create({ type: name })).status).toBe(422)
      expect((await create({ type: 'page', config: { theme: name } })).status).toBe(422)
      expect((await service.call('GET', `/render/${page}?theme=${name}`)).status).toBe(422)
      const section = {
        type: name,
        props: { title: 'A', layout: name, [name === '__proto__' ? 'x' : name]: 'a' },
      }
      const made = await create({ type: 'page', config: { lang: name, sections: [section] } })
      expect(made.status).toBe(201)
      expect((await service.call('POST', `/pages/${made.body.data.id}/publish`)).status).toBe(200)
    }
    for (const slug of ['constructor', 'prototype', 'tostring', 'valueof']) {
      const made = await create({ slug, subroute: 'constructor', type: 'docs' })
      expect((await read(made.body.data.id)).url).toBe(`/constructor/${slug}`)
      expect((await service.call('POST', `/pages/${made.body.data.id}/publish`)).status).toBe(200)
    }
  })
})

describe('a slug or subroute', () => {
  const LOOKALIKES = [
    ...[
      'аdmin',
      'ａdmin',
      'admın',
      '\u212a',
      'ſlug',
      'ﬁle',
      'café',
      'cafe\u0301',
      'a\u200db',
      'a\u00adb',
      '１２',
    ],
    ...[
      'a\u0000b',
      'a\u202eb',
      'a\ufeffb',
      'a.b',
      '..',
      '.',
      'a%2fb',
      'a%00',
      'a\\b',
      'a b',
      '𝒶',
      '😀',
      'a\nb',
      'a\n',
    ],
  ]
  test.each(LOOKALIKES.map((text, turn) => [text, turn] as const))(
    '%j is refused, on both surfaces',
    async (text, turn) => {
      for (const name of shareOf(['slug', 'subroute'], 2, turn)) {
        expect((await create({ [name]: text })).status).toBe(422)
        expect((await service.call('PUT', `/pages/${page}`, { [name]: text })).status).toBe(422)
        expect((await service.call('PUT', `/v1/pages/${page}`, { [name]: text })).status).toBe(422)
        const legacy = { project_id: project, page_name: 'A', slug: `made-${++made}`, [name]: text }
        expect((await service.call('POST', '/v1/pages', legacy)).status).toBe(422)
      }
      const routes = [{ [text]: '/a' }, { docs: text }]
      for (const site_routes of routes)
        expect((await service.call('PUT', `/v1/projects/${project}/settings`, { site_routes })).status).toBe(
          422,
        )
    },
  )

  test('is folded to lower case before it is compared, so that no two pages differ by case', async () => {
    expect((await create({ slug: 'Twice', subroute: 'A/B' })).status).toBe(201)
    const again = await create({ slug: 'tWICE', subroute: '/a/b/' })
    expect([again.status, again.body.name]).toEqual([400, 'conflict'])
  })
})

describe('text of any script', () => {
  const WIDE = '𝒳😀'
  test.each([
    ['title', 200, (value: string) => ({ title: value })],
    ['description', 500, (value: string) => ({ description: value })],
    ['meta.title', 60, (value: string) => ({ meta: { title: value } })],
    ['meta.description', 160, (value: string) => ({ meta: { description: value } })],
  ])('in %s is counted in code points, and is returned unchanged', async (_, most, fields) => {
    const longest = WIDE.repeat(most / 2)
    const { status, body } = await create(fields(longest))
    expect(status).toBe(201)
    const { page_name, ...rest } = await read(body.data.id)
    expect({ title: page_name, ...rest }).toMatchObject(fields(longest))
    expect((await create(fields(`${longest}a`))).status).toBe(422)
  })

  test('is neither normalised nor cut at a bidi control or a line separator', async () => {
    const texts = ['e\u0301', 'é', '\u202eabc\u202c', 'a\u2028b', '\ufeffa', 'ﷺ'.repeat(100), '\ud83d\ude00']
    for (const text of texts) {
      const { body } = await create({ description: text, markdown_content: text, config: { a: text } })
      expect(await read(body.data.id)).toMatchObject({
        description: text,
        markdown_content: text,
        config: { a: text },
      })
      expect((await service.call('POST', `/pages/${body.data.id}/publish`)).status).toBe(200)
    }
  })

  test('must not contain U+0000, in any field of any resource on either surface', async () => {
    const legacy = { project_id: project, page_name: 'A', slug: 'nul' }
    const answers: readonly (readonly [field: string, answer: Answer])[] = [
      ['markdown_content', await create({ slug: 'nul', markdown_content: 'a\0b' })],
      ['config.a[1].b', await create({ slug: 'nul', config: { a: [1, { b: '\0' }] } })],
      ['config.a\0', await create({ slug: 'nul', config: { 'a\0': 1 } })],
      ['description', await service.call('PUT', `/pages/${page}`, { description: 'a\0' })],
      ['config.c', await service.call('POST', '/v1/pages', { ...legacy, config: { c: '\0' } })],
      ['markdown_content', await service.call('PUT', `/v1/pages/${page}`, { markdown_content: '\0' })],
      ['name', await service.call('POST', '/projects', { name: 'a\0' })],
      ['footer_text', await service.call('PUT', `/projects/${project}/settings`, { footer_text: '\0' })],
      ['slug', await service.call('GET', `/pages?project_id=${project}&slug=%00`)],
      ['tag', await service.call('GET', `/v1/pages?project_id=${project}&tag=a%00`)],
    ]
    for (const [field, { status, body }] of answers) {
      expect([field, status]).toEqual([field, 422])
      expect(body.message).toContain(
        `${field.replaceAll('\0', '\ufffd')}: must not contain the character U+0000.`,
      )
    }
    expect((await service.call('GET', `/pages?project_id=${project}&slug=nul`)).body.meta.total).toBe(0)
  })

  test('must not contain a lone surrogate', async () => {
    for (const half of ['\\ud83d', '\\ude00', '\\ud83dx', '\\uDE00\\uD83D']) {
      const body = JSON.stringify(pageBody(project, { slug: 'half', title: 'HALF' })).replace('HALF', half)
      const answer = await service.call('POST', '/pages', body)
      expect([answer.status, answer.body.name]).toEqual([422, 'invalid_request'])
    }
  })
})
