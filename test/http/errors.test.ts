import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal } from '../support/refusal.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string
let page: string

beforeAll(async () => {
  service = await startService()
  project = await service.newProject()
  page = (await service.call('POST', '/pages', pageBody(project))).body.data.id
})
afterAll(() => service.close())

const create = (body: object) => service.call('POST', '/pages', body)
const update = (body: object) => service.call('PUT', `/pages/${page}`, body)
const updateProject = (body: object) => service.call('PUT', `/projects/${project}`, body)
const updateSettings = (body: object) => service.call('PUT', `/projects/${project}/settings`, body)

describe('what does not exist', () => {
  test.each([
    ['GET', '/'],
    ['GET', '/nowhere'],
    ['GET', '/projects/a/b/c'],
    ['GET', '/users'],
    ['GET', '/users/you'],
    ['GET', '/pages/%'],
    ['GET', '/pages/%ff'],
    ['GET', '/pages/..%2f..%2fetc'],
    ['GET', '/projects/%00'],
    ['PUT', '/projects/%F0%9F%98%80'],
  ])('%s %s is 404 not_found', async (method, path) => {
    expectRefusal(await service.call(method, path, method === 'GET' ? undefined : {}), 'not_found')
  })

  test('PATCH on a page is no update', async () => {
    expectRefusal(await service.call('PATCH', `/pages/${page}`, { title: 'x' }), 'method_not_allowed')
  })

  test('an HTTP client without fetch’s scruples is answered as well', async () => {
    const answer = await service.call('GET', `/pages?project_id=${project}`, undefined, {
      headers: { Accept: 'text/html', 'Accept-Encoding': 'identity', Origin: 'https://elsewhere.example' },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })
})

describe('a required field', () => {
  const whole = () => ({ project_id: project, title: 'T', slug: 'required', subroute: '', type: 'page' })

  test.each(['project_id', 'title', 'slug', 'subroute', 'type'] as const)(
    '%s of a page must be there and not be null',
    async (field) => {
      const { [field]: _, ...without } = whole()
      expectRefusal(await create(without), 'missing_required_field', `${field}: required.`)
      expectRefusal(
        await create({ ...whole(), [field]: null }),
        'missing_required_field',
        `${field}: required.`,
      )
    },
  )

  test.each(['project_id', 'title', 'slug', 'subroute', 'type'] as const)(
    '%s of a page must be a text',
    async (field) => {
      for (const value of [1, true, [], {}])
        expectRefusal(await create({ ...whole(), [field]: value }), 'validation_error', `${field}: `)
    },
  )

  test('name of a project must be there and not be null', async () => {
    for (const body of [{}, { name: null }])
      expectRefusal(
        await service.call('POST', '/projects', body),
        'missing_required_field',
        'name: required.',
      )
  })

  test('project_id of a list of pages must be there', async () => {
    expectRefusal(await service.call('GET', '/pages'), 'missing_required_field', 'project_id: required.')
  })
})

describe('several faults', () => {
  test('are reported in one message, each with the path of its field', async () => {
    const answer = await update({
      title: '',
      slug: 'x y',
      description: 1,
      meta: { title: 'x'.repeat(61), colour: 'red' },
      nonsense: true,
    })
    const paths = ['title: ', 'slug: ', 'description: ', 'meta.title: ', 'meta.colour: ', 'nonsense: ']
    expectRefusal(answer, 'validation_error', ...paths)
  })

  test('are called missing_required_field when a field is missing', async () => {
    const answer = await create({ project_id: project, slug: '!', type: 'poem', subroute: '', nonsense: 1 })
    expectRefusal(answer, 'missing_required_field', 'title: required.', 'slug: ', 'type: ', 'nonsense: ')
  })

  test('are all reported without a project, too', async () => {
    const answer = await create({
      page_name: 'Named',
      slug: '!',
      subroute: '',
      type: 'page',
      config: { sections: 1 },
    })
    expectRefusal(answer, 'missing_required_field', 'project_id: required.', 'slug: ', 'config.sections: ')
    expect(answer.body.message).not.toMatch(/title|page_name/)
  })

  test('are reported together when a query has them', async () => {
    const answer = await service.call(
      'GET',
      `/pages?project_id=${project}&limit=0&offset=-1&sort=x&order=up&status=gone&type=poem&include_content=yes&created_after=soon&slug=a&slug=b`,
    )
    const names = [
      'limit',
      'offset',
      'sort',
      'order',
      'status',
      'type',
      'include_content',
      'created_after',
      'slug',
    ]
    expectRefusal(answer, 'invalid_request', ...names.map((name) => `${name}: `))
    const nameless = await service.call('GET', '/pages?limit=0')
    expectRefusal(nameless, 'missing_required_field', 'project_id: required.', 'limit: ')
  })

  test('inside lists and objects have their index and key in the path', async () => {
    const links = [{ label: 'ok', href: '/' }, { label: 'x' }, { label: '', href: 'javascript:alert(1)' }, 4]
    expectRefusal(
      await updateSettings({ nav_links: links }),
      'validation_error',
      'nav_links[1].href: ',
      'nav_links[2].label: ',
      'nav_links[2].href: ',
      'nav_links[3]: ',
    )
    expectRefusal(
      await updateProject({ settings: { theme: 'x', logo: 'x' }, hosting: { mode: 'x', subdomain: 'X' } }),
      'validation_error',
      'settings.theme: ',
      'settings.logo: ',
      'hosting.mode: ',
      'hosting.subdomain: ',
    )
  })

  test('leave nothing stored behind', async () => {
    const before = await service.call('GET', `/pages/${page}`)
    expectRefusal(await update({ title: 'Kept?', description: 'Kept?', nonsense: 1 }), 'validation_error')
    expect((await service.call('GET', `/pages/${page}`)).body).toEqual(before.body)
  })

  test('without number are cut to a readable message', async () => {
    const answer = await updateSettings({ nav_links: Array.from({ length: 90_000 }, () => 1) })
    expectRefusal(answer, 'validation_error', 'nav_links: ')
    expect(answer.body.message.length).toBeLessThan(20_000)
    const unknown = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`field${i}`, 1]))
    const refused = await update(unknown)
    expectRefusal(refused, 'validation_error', 'field0: unknown field.', 'more')
    expect(refused.body.message.length).toBeLessThan(20_000)
  })
})

describe('an unknown field', () => {
  test.each([
    ['POST /projects', () => service.call('POST', '/projects', { name: 'N', colour: 'red' })],
    ['PUT /projects/:id', () => updateProject({ colour: 'red' })],
    ['PUT /projects/:id/settings', () => updateSettings({ colour: 'red' })],
    ['POST /pages', () => create(pageBody(project, { slug: 'unknown', colour: 'red' }))],
    ['PUT /pages/:id', () => update({ colour: 'red' })],
    ['POST /pages/:id/publish', () => service.call('POST', `/pages/${page}/publish`, { colour: 'red' })],
    ['POST /pages/:id/unpublish', () => service.call('POST', `/pages/${page}/unpublish`, { colour: 'red' })],
  ])('is refused by name in %s', async (_, send) => {
    expectRefusal(await send(), 'validation_error', 'colour: unknown field.')
  })

  test('inside an object is refused with its path', async () => {
    expectRefusal(
      await update({ meta: { colour: 'red' } }),
      'validation_error',
      'meta.colour: unknown field.',
    )
    expectRefusal(
      await updateProject({ settings: { colour: 'red' }, hosting: { colour: 'red' } }),
      'validation_error',
      'settings.colour: unknown field.',
      'hosting.colour: unknown field.',
    )
  })

  test('is ignored in the legacy settings', async () => {
    const answer = await service.call('PUT', `/v1/projects/${project}/settings`, { colour: 'red' })
    expect(answer).toMatchObject({ status: 200, body: { success: true, data: {} } })
  })

  test('is unknown, too, when it is called like a property of every object', async () => {
    for (const field of ['constructor', 'toString', 'hasOwnProperty', '__defineGetter__'])
      expectRefusal(await update({ [field]: 1 }), 'validation_error', `${field}: unknown field.`)
  })
})

describe('a read-only field', () => {
  test('passes in an update of a page and changes nothing', async () => {
    const readOnly = {
      id: 'page_x',
      project_id: 'proj_x',
      url: 7,
      sections_count: 99,
      word_count: 99,
      published_at: '2001-01-01',
      created_at: null,
      updated_at: 'x',
    }
    const { updated_at: _, ...before } = (await service.call('GET', `/pages/${page}`)).body.data
    expect((await update(readOnly)).status).toBe(200)
    expect((await service.call('GET', `/pages/${page}`)).body.data).toMatchObject(before)
  })

  test('passes when a page is created', async () => {
    const { status, body } = await create(
      pageBody(project, { slug: 'copied', id: page, url: '/x', word_count: 7, updated_at: '2001-01-01' }),
    )
    expect(status).toBe(201)
    expect(body.data.id).not.toBe(page)
  })

  test('passes in an update of a project and changes nothing', async () => {
    const before = (await service.call('GET', `/projects/${project}`)).body.data
    const readOnly = { id: 'x', slug: 'x', hosting_mode: 'x', page_count: 99, created_at: 1, updated_at: 1 }
    const { status, body } = await updateProject(readOnly)
    expect(status).toBe(200)
    expect(body.data).toEqual({ ...before, updated_at: expect.any(String) })
  })

  test('passes when a project is created', async () => {
    const { status, body } = await service.call('POST', '/projects', { name: 'Copy', id: 'x', page_count: 9 })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ name: 'Copy', page_count: 0 })
  })

  test('passes in the settings, is not stored and is not named among the updated', async () => {
    const sent = { project_id: 'x', custom_domain: 'x', data_mode: 1, hosting_mode: 'data' }
    const { body } = await updateSettings({ ...sent, footer_text: 'F' })
    expect(body.data.updated_fields).toEqual(['footer_text'])
    expect((await service.call('GET', `/projects/${project}/settings`)).body.data).toMatchObject({
      project_id: project,
      custom_domain: null,
      data_mode: { enabled: false, cdn_base: null },
      hosting_mode: 'fullhost',
    })
  })
})
