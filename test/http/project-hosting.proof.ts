import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { expectRefusal } from '../support/refusal.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string

beforeAll(async () => {
  service = await startService({ env: { QUOIN_CONTENT_URL: 'https://cdn.quoin.test/files' } })
})
afterAll(() => service.close())
beforeEach(async () => {
  project = await service.newProject()
})

const update = (body: object, id = project) => service.call('PUT', `/projects/${id}`, body)
const get = async (id = project) => (await service.call('GET', `/projects/${id}`)).body.data
const settings = async () => (await service.call('GET', `/projects/${project}/settings`)).body.data

describe('hosting', () => {
  test('subdomain may not make one of the service’s own hosts', async () => {
    const env = {
      QUOIN_SITES_DOMAIN: 'quoin.example',
      QUOIN_CONTENT_URL: 'https://cdn.quoin.example/files',
    }
    const own = await startService({ env })
    onTestFinished(() => own.close())
    const path = `/projects/${await own.newProject()}`
    const take = (subdomain: string) => own.call('PUT', path, { hosting: { subdomain } })
    expectRefusal(await take('cdn'), 'validation_error', 'hosting.subdomain: ')
    expect((await take('cdn-2')).status).toBe(200)
  })

  test.each([
    ['mode', 'rewrite'],
    ['subdomain', 'abc'],
    ['subdomain', 'x-1'],
    ['subdomain', 'a'.repeat(50)],
    ['subdomain', null],
    ['custom_domain', 'docs.example.com'],
    ['custom_domain', null],
    ['ssl_enabled', true],
    ['cdn_enabled', false],
    ['base_path', '/help'],
    ['base_path', '/help/desk'],
    ['base_path', '/'],
    ['manifest', 'minimal'],
  ])('%s may be %j, and nothing else changes', async (field, value) => {
    const before = await get()
    const { status, body } = await update({ hosting: { [field]: value } })
    expect(status).toBe(200)
    const isDomain = field === 'custom_domain' && value !== null
    const proof = isDomain && { domain_status: 'active', domain_challenge: expect.any(Object) }
    expect(body.data.hosting).toEqual({ ...before.hosting, [field]: value, ...proof })
    expect((await get()).hosting).toEqual(body.data.hosting)
    await update({ hosting: { subdomain: null, custom_domain: null } })
  })

  test.each([
    ['mode', 'fullhost'],
    ['mode', 'data'],
    ['mode', ''],
    ['subdomain', ''],
    ['subdomain', 'ab'],
    ['subdomain', 'a'.repeat(51)],
    ['subdomain', 'UPPER'],
    ['subdomain', 'with.dot'],
    ['subdomain', 'under_score'],
    ['subdomain', 'ümlaut'],
    ['subdomain', '-edge'],
    ['subdomain', 'edge-'],
    ['custom_domain', ''],
    ['custom_domain', 'localhost'],
    ['custom_domain', 'https://docs.example.com'],
    ['custom_domain', 'docs.example.com/path'],
    ['custom_domain', 'docs.example.com:8080'],
    ['custom_domain', 'docs..example.com'],
    ['custom_domain', '.example.com'],
    ['custom_domain', '-docs.example.com'],
    ['custom_domain', '*.example.com'],
    ['custom_domain', '192.168.0.1'],
    ['custom_domain', '[::1]'],
    ['custom_domain', `${'a'.repeat(64)}.example.com`],
    ['custom_domain', `${'abcdefgh.'.repeat(30)}example.com`],
    ['ssl_enabled', 'true'],
    ['ssl_enabled', 1],
    ['cdn_enabled', null],
    ['base_path', 'help'],
    ['base_path', '/help/'],
    ['base_path', '//help'],
    ['base_path', '/help//desk'],
    ['base_path', '//'],
    ['base_path', ''],
    ['base_path', '/Help'],
    ['base_path', '/help\n'],
    ['base_path', 'x/help'],
    ['base_path', '/a/b/c/d/e/f/g/h/i'],
    ['base_path', '/../x'],
    ['base_path', null],
    ['manifest', 'none'],
    ['manifest', null],
  ])('%s may not be %j', async (field, value) => {
    const before = await get()
    expectRefusal(await update({ hosting: { [field]: value } }), 'validation_error', `hosting.${field}: `)
    expect(await get()).toEqual(before)
  })

  test('mode is shown in three places under two spellings', async () => {
    for (const [mode, inSettings] of [
      ['rewrite', 'rewrite'],
      ['full_host', 'fullhost'],
    ]) {
      const { data } = (await update({ hosting: { mode } })).body
      expect(data).toMatchObject({ hosting_mode: mode, hosting: { mode } })
      expect((await settings()).hosting_mode).toBe(inSettings)
    }
  })

  test('mode cannot enter Data Mode by an update', async () => {
    const answer = await update({ hosting: { mode: 'data_mode' } })
    expectRefusal(answer, 'validation_error', 'hosting.mode: ', 'enable', 'disable')
  })
})

describe('the domain', () => {
  test('is one value under three names', async () => {
    const shown = async () => {
      const { domain, hosting } = await get()
      return [domain, hosting.custom_domain, (await settings()).custom_domain]
    }
    await update({ domain: 'one.example.com' })
    expect(await shown()).toEqual(['one.example.com', 'one.example.com', 'one.example.com'])
    await update({ hosting: { custom_domain: 'two.example.com' } })
    expect(await shown()).toEqual(['two.example.com', 'two.example.com', 'two.example.com'])
    await update({ domain: null })
    expect(await shown()).toEqual([null, null, null])
  })

  test('is stored in lower case', async () => {
    expect((await update({ domain: 'Mixed.Example.COM' })).body.data.domain).toBe('mixed.example.com')
  })

  test('may be any name of the domain system', async () => {
    for (const domain of [
      'example.co',
      'a.b.c.d.example.com',
      'xn--bcher-kva.example',
      'x1.xn--p1ai',
      '3m.com',
    ])
      expect((await update({ domain })).body.data.domain).toBe(domain)
  })

  test.each([
    ['domain', 'hosting.custom_domain'],
    ['hosting.custom_domain', 'domain'],
  ])('has two names, and the one that differs from the stored value wins: %s', async (changed) => {
    const [stored, wanted] = [`stored-${changed.length}.example.com`, `wanted-${changed.length}.example.com`]
    await update({ domain: stored })
    const both = changed === 'domain' ? [wanted, stored] : [stored, wanted]
    const { status, body } = await update({ domain: both[0], hosting: { custom_domain: both[1] } })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ domain: wanted, hosting: { custom_domain: wanted } })
  })

  test('may be taken away by either spelling while the other repeats it', async () => {
    await update({ domain: 'gone.example.com' })
    expect(
      (await update({ domain: null, hosting: { custom_domain: 'gone.example.com' } })).body.data.domain,
    ).toBe(null)
    await update({ domain: 'gone.example.com' })
    expect(
      (await update({ domain: 'gone.example.com', hosting: { custom_domain: null } })).body.data.domain,
    ).toBe(null)
  })

  test('under two spellings that agree is taken, in whatever case', async () => {
    const agreed = { domain: 'AGREED.example.com', hosting: { custom_domain: 'agreed.EXAMPLE.com' } }
    expect((await update(agreed)).body.data.domain).toBe('agreed.example.com')
    expect((await update({ ...agreed, domain: 'Agreed.Example.Com' })).status).toBe(200)
    await update({ domain: null })
  })

  test('under two new spellings that disagree is refused', async () => {
    const answer = await update({ domain: 'a.example.com', hosting: { custom_domain: 'b.example.com' } })
    expectRefusal(answer, 'validation_error', 'hosting.custom_domain: ')
    expect((await get()).domain).toBeNull()
  })

  test('is a conflict when another project has it, also one of another user', async () => {
    await update({ domain: 'taken.example.com', hosting: { subdomain: 'taken' } })
    const before = await get()
    const key = await service.newKey({ user: await service.newUser() })
    const stranger = (await service.call('POST', '/projects', { name: 'Stranger' }, { key })).body.data.id
    const other = await service.newProject('Other')
    for (const [id, by] of [
      [stranger, key],
      [other, service.key],
    ] as const) {
      for (const body of [
        { domain: 'taken.example.com', name: 'Never' },
        { domain: 'TAKEN.Example.com' },
        { hosting: { custom_domain: 'taken.example.com' } },
      ]) {
        const answer = await service.call('PUT', `/projects/${id}`, body, { key: by })
        expectRefusal(answer, 'conflict', 'domain')
      }
      const subdomain = await service.call(
        'PUT',
        `/projects/${id}`,
        { hosting: { subdomain: 'taken' } },
        { key: by },
      )
      expectRefusal(subdomain, 'conflict', 'subdomain')
    }
    expect(await get(other)).toMatchObject({ name: 'Other', domain: null, hosting: { subdomain: null } })
    expect((await update({ domain: 'taken.example.com' })).status).toBe(200)
    await update({ domain: null, hosting: { subdomain: null } })
    expect((await update({ domain: before.domain }, other)).status).toBe(200)
  })

  test.each([
    'cdn.quoin.test',
    'CDN.quoin.test',
    'a.cdn.quoin.test',
    'sites.quoin.test',
    'mine.sites.quoin.test',
  ])('cannot be %s, which is the service’s own', async (domain) => {
    expectRefusal(await update({ domain }), 'validation_error', 'domain: ')
    expectRefusal(
      await update({ hosting: { custom_domain: domain } }),
      'validation_error',
      'hosting.custom_domain: ',
    )
  })

  test.each(['quoin.test', 'notcdn.quoin.test', 'cdn.quoin.test.example.com'])(
    'may be %s, which only looks like it',
    async (domain) => {
      expect((await update({ domain })).body.data.domain).toBe(domain)
    },
  )
})

describe('the origin of a page’s address', () => {
  let n = 0
  const address = async (hosting: object) => {
    await update({ hosting })
    const body = pageBody(project, { slug: `page-${++n}`, subroute: 'docs' })
    return (await service.call('POST', '/pages', body)).body.data.url.replace(`page-${n}`, 'page')
  }

  test('is the custom domain, else the subdomain, else the content URL', async () => {
    expect(await address({})).toBe(`https://cdn.quoin.test/files/${project}/docs/page`)
    expect(await address({ subdomain: 'my-site' })).toBe('https://my-site.sites.quoin.test/docs/page')
    expect(await address({ custom_domain: 'docs.acme.example' })).toBe('https://docs.acme.example/docs/page')
  })

  test('has the base path of a rewritten site on its custom domain', async () => {
    const hosting = { mode: 'rewrite', base_path: '/help', custom_domain: 'www.acme.example' }
    expect(await address(hosting)).toBe('https://www.acme.example/help/docs/page')
    expect(await address({ base_path: '/' })).toBe('https://www.acme.example/docs/page')
    expect(await address({ mode: 'full_host', base_path: '/help' })).toBe(
      'https://www.acme.example/docs/page',
    )
  })
})
