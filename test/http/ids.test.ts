import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal } from '../support/refusal.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string
let page: string

beforeAll(async () => {
  service = await startService()
  project = await service.newProject()
  page = (await service.call('POST', '/pages', pageBody(project, { type: 'docs' }))).body.data.id
})
afterAll(() => service.close())

const bare = (id: string) => id.slice(id.indexOf('_') + 1)

describe('an id', () => {
  test('is 16 letters and digits without look-alikes, under the prefix of its kind', async () => {
    const random = '[a-km-np-z2-9]{16}'
    expect(project).toMatch(new RegExp(`^proj_${random}$`))
    expect(page).toMatch(new RegExp(`^page_${random}$`))
    const { data } = (await service.call('GET', '/users/me')).body
    expect(data.id).toMatch(new RegExp(`^usr_${random}$`))
    expect(data.api_key_id).toMatch(new RegExp(`^key_${random}$`))
    const published = await service.call('POST', `/pages/${page}/publish`)
    expect(published.body.data.release_id).toMatch(new RegExp(`^rel_${random}$`))
  })
})

describe('both forms of an id', () => {
  test.each([
    ['GET', (id: string) => `/projects/${id}`],
    ['PUT', (id: string) => `/projects/${id}`],
    ['GET', (id: string) => `/projects/${id}/settings`],
    ['PUT', (id: string) => `/projects/${id}/settings`],
    ['GET', (id: string) => `/pages?project_id=${id}`],
    ['GET', (id: string) => `/v1/projects/${id}/settings`],
  ])('name a project in %s %o', async (method, path) => {
    for (const form of [project, bare(project)]) {
      const answer = await service.call(method, path(form), method === 'GET' ? undefined : {})
      expect(answer.status).toBe(200)
      expect(JSON.stringify(answer.body)).not.toContain(`"${bare(project)}"`)
    }
  })

  test('name a project in the body of a new page, and a parent', async () => {
    for (const [slug, form] of [
      ['prefixed', project],
      ['bare', bare(project)],
    ] as const) {
      for (const parent of [page, bare(page)]) {
        const body = { type: 'docs', slug: `${slug}-${parent.length}`, parent_page: parent }
        const created = await service.call('POST', '/pages', pageBody(form, body))
        expect(created.body.data).toMatchObject({ project_id: project })
        const read = await service.call('GET', `/pages/${created.body.data.id}`)
        expect(read.body.data.parent_page).toBe(page)
      }
    }
  })

  test.each([
    ['GET', '', undefined],
    ['PUT', '', {}],
    ['POST', '/publish', undefined],
    ['POST', '/unpublish', undefined],
  ])('name a page in %s /pages/:id%s', async (method, action, body) => {
    await service.call('POST', `/pages/${page}/publish`)
    expect(await service.call(method, `/pages/${bare(page)}${action}`, body)).toMatchObject({
      status: 200,
      body: { data: { id: page } },
    })
    await service.call('POST', `/pages/${page}/publish`)
    expect((await service.call(method, `/pages/${page}${action}`, body)).status).toBe(200)
  })
})

describe('404 not_found is', () => {
  const forms: readonly (readonly [what: string, wrong: (id: string) => string])[] = [
    ['an unknown id', () => 'aaaaaaaaaaaaaaaa'],
    ['an id under a prefix of another kind', (id) => `usr_${bare(id)}`],
    ['an id in upper case', (id) => id.toUpperCase()],
    ['an id with a prefix twice', (id) => id.replace('_', `_${id.split('_')[0]}_`)],
    ['an id that is cut off', (id) => id.slice(0, -1)],
    ['an id with more behind it', (id) => `${id}a`],
    ['a prefix alone', (id) => id.slice(0, 5)],
    ['a wildcard', () => '*'],
    ['SQL', () => "' OR '1'='1"],
  ]

  test.each(forms)('%s of a project', async (_, wrong) => {
    const id = encodeURIComponent(wrong(project))
    expectRefusal(await service.call('GET', `/projects/${id}`), 'not_found')
    expectRefusal(await service.call('PUT', `/projects/${id}/settings`, {}), 'not_found')
    expectRefusal(await service.call('GET', `/pages?project_id=${id}`), 'not_found')
    expectRefusal(await service.call('POST', '/pages', pageBody(wrong(project))), 'not_found')
  })

  test.each(forms)('%s of a page', async (_, wrong) => {
    const id = encodeURIComponent(wrong(page))
    expectRefusal(await service.call('GET', `/pages/${id}`), 'not_found')
    expectRefusal(await service.call('PUT', `/pages/${id}`, {}), 'not_found')
    for (const action of ['publish', 'unpublish'])
      expectRefusal(await service.call('POST', `/pages/${id}/${action}`), 'not_found')
  })

  test('a project where a page belongs, and a page where a project belongs', async () => {
    expectRefusal(await service.call('GET', `/pages/${project}`), 'not_found')
    expectRefusal(await service.call('GET', `/pages/${bare(project)}`), 'not_found')
    expectRefusal(await service.call('GET', `/projects/${page}`), 'not_found')
    expectRefusal(await service.call('POST', '/pages', pageBody(page)), 'not_found')
  })

  test('the answer to an empty project_id', async () => {
    expectRefusal(await service.call('GET', '/pages?project_id='), 'not_found')
    expectRefusal(await service.call('POST', '/pages', pageBody('')), 'not_found')
  })
})

test('a parent_page that cannot be one is a fault of the body, not a 404', async () => {
  const article = (await service.call('POST', '/pages', pageBody(project, { slug: 'no-parent' }))).body.data
    .id
  for (const parent of ['page_aaaaaaaaaaaaaaaa', 'nonsense', project, article, '']) {
    const answer = await service.call('PUT', `/pages/${page}`, { parent_page: parent })
    expectRefusal(answer, 'validation_error', 'parent_page: ')
  }
})

test('no text whatever in place of an id is answered by anything but 404', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), async (text) => {
      const segment = encodeURIComponent(text)
      fc.pre(segment !== '.' && segment !== '..')
      expectRefusal(await service.call('GET', `/pages/${segment}`), 'not_found')
      expectRefusal(await service.call('GET', `/projects/${segment}/settings`), 'not_found')
    }),
    { numRuns: 30 },
  )
})
