import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runs } from '../support/long-form.ts'
import { sendRaw } from '../support/raw-request.ts'
import { expectRefusal } from '../support/refusal.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  project = await service.newProject()
})

const create = (fields: object = {}) => service.call('POST', '/pages', pageBody(project, fields))
const update = (id: string, body: object) => service.call('PUT', `/pages/${id}`, body)
const host = (hosting: object) => service.call('PUT', `/projects/${project}`, { hosting })
const visit = (path: string) => sendRaw(service.url, `/public/${project}${path}`)

async function publish(fields: object): Promise<string> {
  const { id } = (await create(fields)).body.data
  expect(await service.call('POST', `/pages/${id}/publish`)).toMatchObject({ status: 200 })
  return id
}

describe('a project with standard addresses', () => {
  test('refuses other letters, and says which setting allows them', async () => {
    expect((await service.call('GET', `/projects/${project}`)).body.data.hosting.slugs).toBe('standard')
    for (const slug of ['a_b', 'v1.2', 'überblick', '安装']) {
      expectRefusal(
        await create({ slug }),
        'validation_error',
        'slug',
        'Set hosting.slugs of the project to wide',
      )
      expectRefusal(
        await create({ slug: 'a', subroute: slug }),
        'validation_error',
        'subroute',
        'hosting.slugs',
      )
    }
    const { id } = (await create()).body.data
    expectRefusal(await update(id, { slug: 'über' }), 'validation_error', 'slug', 'hosting.slugs')
    const routes = { site_routes: { docs: '/über' } }
    const current = await service.call('PUT', `/projects/${project}/settings`, routes)
    expectRefusal(current, 'validation_error', 'site_routes', 'hosting.slugs')
    const legacy = await service.call('PUT', `/v1/projects/${project}/settings`, routes)
    expect(legacy.status).toBe(422)
    const v1 = { project_id: project, page_name: 'A', slug: 'v1.2' }
    expect((await service.call('POST', '/v1/pages', v1)).status).toBe(422)
  })
})

test('a change of a project refuses routes, which only the settings have, whatever its addresses', async () => {
  for (const slugs of ['standard', 'wide']) {
    const settings = { site_routes: { docs: '/über' } }
    const refused = await service.call('PUT', `/projects/${project}`, { settings, hosting: { slugs } })
    expect([refused.status, refused.body.message]).toEqual([422, 'settings.site_routes: unknown field.'])
  }
})

test('a project is created with the addresses that the request names, standard ones otherwise', async () => {
  const made = async (body: object, path = '/projects') =>
    (await service.call('POST', path, { name: 'Wide', ...body })).body
  const wide = await made({ hosting: { slugs: 'wide' } })
  expect(wide.data.hosting.slugs).toBe('wide')
  const page = await service.call('POST', '/pages', pageBody(wide.data.id, { slug: 'v1.2' }))
  expect(page.status).toBe(201)
  for (const body of [{}, { hosting: {} }, { hosting: { slugs: 'standard' } }])
    expect((await made(body)).data.hosting.slugs).toBe('standard')
  const refusals = [
    [{ slugs: 'any' }, 'hosting.slugs'],
    [{ mode: 'rewrite' }, 'hosting.mode'],
    [null, 'hosting'],
  ] as const
  for (const [hosting, field] of refusals)
    expectRefusal(await service.call('POST', '/projects', { name: 'A', hosting }), 'validation_error', field)
  const { id } = (await made({ hosting: { slugs: 'wide' } }, '/v1/projects')).data
  expect((await service.call('GET', `/projects/${id}`)).body.data.hosting.slugs).toBe('standard')
})

describe('a project with wide addresses', () => {
  beforeEach(async () => {
    expect((await host({ slugs: 'wide' })).body.data.hosting.slugs).toBe('wide')
  })

  test.each([
    ['v1.2', 'v1.2'],
    ['my_function', 'my_function'],
    ['Überblick', 'überblick'],
    ['Überblick'.normalize('NFD'), 'überblick'],
    ['安装', '安装'],
    ['Начало', 'начало'],
    ['𠮷'.repeat(100), '𠮷'.repeat(100)],
    ['Plain-Old', 'plain-old'],
  ])('stores the slug %j as %j on both surfaces', async (slug, stored) => {
    expect((await create({ slug, subroute: slug })).body.data).toMatchObject({
      slug: stored,
      subroute: stored,
    })
    const legacy = { project_id: project, page_name: 'A', slug, subroute: 'v1' }
    expect((await service.call('POST', '/v1/pages', legacy)).body.data.slug).toBe(stored)
    const listed = await service.call('GET', `/pages?project_id=${project}&slug=${encodeURIComponent(slug)}`)
    expect(listed.body.data.map((page: { slug: string }) => page.slug)).toEqual([stored, stored])
  })

  test.each([
    '_x',
    '.x',
    'x.',
    'a..b',
    'a b',
    'c++',
    'a/b',
    'a\u200db',
    'a\uff0fb',
    'feed.xml',
    'index.html',
    '𠮷'.repeat(101),
  ])('refuses the slug %j', async (slug) => {
    expectRefusal(await create({ slug }), 'validation_error', 'slug')
    const { id } = (await create({ slug: 'plain' })).body.data
    expectRefusal(await update(id, { slug }), 'validation_error', 'slug')
  })

  test('takes 3 to 100 code points in lower case on update', async () => {
    const { id } = (await create({ slug: '安装' })).body.data
    expect((await update(id, { slug: '安装' })).status).toBe(200)
    expect((await update(id, { slug: '安装包' })).body.data.slug).toBe('安装包')
    expect((await update(id, { slug: 'über'.normalize('NFD') })).body.data.slug).toBe('über')
    for (const slug of ['安装', 'Über', '𠮷𠮷'])
      expectRefusal(await update(id, { slug }), 'validation_error', 'slug', '3 to 100')
    expect((await update(id, { slug: '𠮷'.repeat(100) })).status).toBe(200)
  })

  test('has one page at addresses that differ in case or normalisation only', async () => {
    expect((await create({ slug: 'ärger' })).status).toBe(201)
    for (const slug of ['Ärger', 'ärger'.normalize('NFD'), 'ÄRGER'.normalize('NFD')])
      expectRefusal(await create({ slug }), 'conflict', 'slug')
  })

  test('serves a page at its address, and leads to it from every other spelling', async () => {
    await publish({
      slug: 'Überblick',
      subroute: 'Añadir/v1.2',
      title: 'Overview',
      markdown_content: 'Found it.',
    })
    const address = '/a%C3%B1adir/v1.2/%C3%BCberblick/'
    const page = await visit(address)
    expect([page.status, page.body.includes('Found it.')]).toEqual([200, true])
    expect(page.body).toContain(`<link rel="canonical" href="${service.url}/public/${project}${address}">`)
    for (const spelling of [
      address.slice(0, -1),
      '/A%C3%91ADIR/V1.2/%C3%9CBERBLICK',
      '/A%C3%91adir/V1.2/%c3%9cberblick/',
      `/${encodeURIComponent('añadir'.normalize('NFD'))}/v1.2/${encodeURIComponent('überblick'.normalize('NFD'))}/`,
    ]) {
      const moved = await visit(`${spelling}?from=mail`)
      expect(moved.status, spelling).toBe(308)
      const target = new URL(moved.headers['location'] ?? '', `${service.url}/public/${project}${spelling}`)
      expect(`${target.pathname}${target.search}`).toBe(`/public/${project}${address}?from=mail`)
    }
    expect((await visit('/a%C3%B1adir/v1.2%2F%C3%BCberblick/')).status).toBe(404)
    expect((await visit('/a%C3%B1adir%2Fv1.2/%C3%9Cberblick/')).status).toBe(404)
  })

  test('writes its addresses encoded wherever they are URLs, and plain where they are keys', async () => {
    const { id } = (await create({ slug: '安装', subroute: '文档' })).body.data
    const path = '/%E6%96%87%E6%A1%A3/%E5%AE%89%E8%A3%85'
    const published = await service.call('POST', `/pages/${id}/publish`)
    expect(published.body.data.url).toBe(`${service.url}/public/${project}${path}`)
    expect((await service.call('GET', `/pages/${id}`)).body.data.url).toBe(path)
    const { pages } = JSON.parse((await visit('/_index.json')).body)
    expect(pages[0]).toMatchObject({
      url: path,
      file: '文档/安装/index.html',
      slug: '安装',
      subroute: '文档',
    })
    expect((await visit('/sitemap.xml')).body).toContain(`${path}/</loc>`)
    expect((await visit('/llms.txt')).body).toContain(`${path}/index.md)`)
  })

  test('redirects from its former address and from any path that the page names', async () => {
    const config = { redirect_from: ['/Old/Name.html', '/a b/c.php', '/%E6%97%A7', '/feed.xml', '/a?b=1'] }
    const { id } = (await create({ slug: 'überblick', config })).body.data
    const published = await service.call('POST', `/pages/${id}/publish`)
    expect(published.body.data.warnings.map(({ at }: { at: string }) => at)).toEqual([
      'redirect_from[3]',
      'redirect_from[4]',
    ])
    await update(id, { slug: '概述-1' })
    await service.call('POST', `/pages/${id}/publish`)
    for (const from of ['/Old/Name.html', '/a%20b/c.php/', '/%E6%97%A7/', '/%C3%BCberblick/']) {
      const moved = await visit(from)
      expect(moved.status, from).toBe(308)
      const target = new URL(moved.headers['location'] ?? '', `${service.url}/public/${project}${from}`)
      expect(decodeURIComponent(target.pathname)).toBe(`/public/${project}/概述-1/`)
    }
  })

  test('stays wide while a page or a route needs it, and says which', async () => {
    const { id } = (await create({ slug: 'überblick', subroute: 'docs' })).body.data
    await create({ slug: 'plain' })
    await service.call('PUT', `/v1/projects/${project}/settings`, { site_routes: { docs: '/安装' } })
    expectRefusal(
      await host({ slugs: 'standard' }),
      'conflict',
      'hosting.slugs',
      `${id} (docs/überblick)`,
      'site_routes',
    )
    await service.call('DELETE', `/pages/${id}`)
    expectRefusal(await host({ slugs: 'standard' }), 'conflict', 'site_routes')
    await service.call('PUT', `/v1/projects/${project}/settings`, { site_routes: { docs: null } })
    expect((await host({ slugs: 'standard' })).status).toBe(200)
    expect((await create({ slug: 'über' })).status).toBe(422)
  })

  test('refuses to publish an address that no store can hold, and publishes it once it is shorter', async () => {
    const { id } = (await create({ slug: '安'.repeat(100) })).body.data
    const refused = await service.call('POST', `/pages/${id}/publish`)
    expectRefusal(refused, 'validation_error', 'is too long to be published', '255 bytes')
    await update(id, { slug: '安'.repeat(85) })
    expect((await service.call('POST', `/pages/${id}/publish`)).status).toBe(200)
  })

  test('whatever is asked for, no request leaves the project or fails', async () => {
    await publish({ slug: 'überblick', subroute: 'docs' })
    const part = fc.oneof(
      fc.constantFrom(
        '..',
        '.',
        '%2e%2e',
        '%2f',
        '%5c',
        '%00',
        '%EF%BC%8F',
        '%EF%BC%8E',
        '%E2%80%AE',
        '%',
        '%ff',
        '%25',
      ),
      fc.constantFrom('docs', 'DOCS', '%C3%BCberblick', '%C3%9C', '', 'index.html', '_index.json'),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
        const answer = await visit(`/${parts.join('/')}`)
        expect([200, 308, 400, 404]).toContain(answer.status)
        if (answer.status !== 308) return
        const target = new URL(
          answer.headers['location'] ?? '',
          `${service.url}/public/${project}/${parts.join('/')}`,
        )
        expect(target.pathname.startsWith(`/public/${project}/`)).toBe(true)
      }),
      { numRuns: runs(150) },
    )
  })
})
