import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DashboardClient, PASSWORD, shownFields, signedIn, visitor } from '../support/dashboard.ts'
import { dashboardRoutes } from '../support/dashboard-routes.ts'
import { flatPng } from '../support/pictures.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

const MARKUP = `"><script>alert(1)</script><img src=x onerror=alert(2)>'`

/** A file of the dashboard, by its digest. */
const OWN_SCRIPT =
  /<script type="module" src="\/dashboard\/_files\/(editor|focus|job|media|passkeys|preview|rows)\.[0-9a-f]{10}\.js"( nonce="[\w-]+")?><\/script>/

let service: TestService
let owner: DashboardClient
let project: string
let page: string

beforeAll(async () => {
  service = await startService()
  owner = await signedIn(service)
  project = await service.newProject('Site')
  page = (await service.call('POST', '/pages', pageBody(project))).body.data.id
})
afterAll(() => service?.close())

const titleOf = async () => (await service.call('GET', `/pages/${page}`)).body.data.page_name
const path = () => `/dashboard/projects/${project}/pages/${page}`

describe('a form of another site', () => {
  const host = () => new URL(service.url).host

  test.each<[string, () => Record<string, string>]>([
    [
      'that a browser calls cross-site',
      () => ({ 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }),
    ],
    ['of a neighbouring host', () => ({ 'Sec-Fetch-Site': 'same-site', Origin: 'https://a.example.com' })],
    ['that was typed, not sent', () => ({ 'Sec-Fetch-Site': 'none' })],
    [
      'whose origin says less than its site',
      () => ({ 'Sec-Fetch-Site': 'same-origin', Origin: 'https://evil.example' }),
    ],
    ['of a browser without Sec-Fetch-Site', () => ({ 'Sec-Fetch-Site': '', Origin: 'https://evil.example' })],
    ['of a sandbox', () => ({ 'Sec-Fetch-Site': '', Origin: 'null' })],
    [
      'whose host only begins like ours',
      () => ({ 'Sec-Fetch-Site': '', Origin: `http://${host()}.evil.example` }),
    ],
    ['without either header and without a token', () => ({ 'Sec-Fetch-Site': '' })],
  ])('%s is refused, and changes nothing', async (_, headers) => {
    const fields = { ...shownFields((await owner.get(path())).html, path()), title: 'Changed' }
    const { status, html } = await send({ ...fields, token: 'guess' }, headers())
    expect(status).toBe(403)
    expect(html).toContain('The form was refused')
    expect(html).not.toContain('Changed')
    expect(await titleOf()).toBe('A page')
  })

  test('is told from ours by the token of the session where a browser sends neither header', async () => {
    const fields = shownFields((await owner.get(path())).html, path())
    expect((await send(fields, { 'Sec-Fetch-Site': '' })).status).toBe(303)
    const other = await signedIn(service, await service.newUser())
    const foreign = shownFields((await other.get('/dashboard/start')).html, '/dashboard/start')
    expect((await send({ ...fields, token: foreign['token'] ?? '' }, { 'Sec-Fetch-Site': '' })).status).toBe(
      403,
    )
  })

  test.each(['/dashboard/sign-in', '/dashboard/sign-out', '/dashboard/set-up'])(
    'cannot sign in or out: %s',
    async (target) => {
      const { status } = await owner.post(
        target,
        { email: 'owner@localhost', password: PASSWORD },
        { 'Sec-Fetch-Site': 'cross-site' },
      )
      expect(status).toBe(403)
      expect((await owner.get('/dashboard/account')).status).toBe(200)
    },
  )

  async function send(fields: Record<string, string>, headers: Record<string, string>) {
    const given = Object.entries({ 'Sec-Fetch-Site': '', ...headers }).filter(([, value]) => value !== '')
    const response = await fetch(service.url + path(), {
      method: 'POST',
      headers: { Cookie: owner.cookie ?? '', ...Object.fromEntries(given) },
      body: new URLSearchParams(fields),
      redirect: 'manual',
    })
    return { status: response.status, html: await response.text() }
  }
})

describe('what tenants write', () => {
  test('is text in every view, every list and every message', async () => {
    const hostile = (await service.call('POST', '/projects', { name: MARKUP })).body.data.id
    const written = await service.call(
      'POST',
      '/pages',
      pageBody(hostile, {
        title: MARKUP,
        description: MARKUP,
        markdown_content: MARKUP,
        meta: { title: MARKUP.slice(0, 60) },
        tags: [MARKUP.slice(0, 40)],
        author: MARKUP,
      }),
    )
    const id = written.body.data.id
    await service.call('POST', `/pages/${id}/publish`)
    await service.call('PUT', `/pages/${id}`, { description: `${MARKUP} changed` })
    await service.call('PUT', `/projects/${hostile}/settings`, {
      footer_text: MARKUP,
      meta_title: MARKUP.slice(0, 60),
    })
    const at = `/dashboard/projects/${hostile}`
    const uploaded = await owner.upload(`${at}/media`, `${MARKUP}.png`, flatPng(8, 8), { alt: MARKUP })
    expect(uploaded.status).toBe(303)
    await owner.post('/dashboard/keys', [
      ['name', MARKUP],
      ['project_scope', hostile],
      ['permissions', 'read'],
      ['expires_at', ''],
    ])
    const [asset = ''] = (uploaded.location ?? '').split('?')
    await service.call('PUT', `/projects/${hostile}/settings`, {
      nav_links: [{ label: MARKUP, href: '/a' }],
      docs_nav: [{ title: MARKUP }],
      shared_footer: { links: [{ label: MARKUP, href: '/a' }], copyright: MARKUP },
    })
    const hook = await service.call('POST', `/projects/${hostile}/webhooks`, {
      url: 'https://hooks.invalid',
      description: MARKUP,
    })
    const views = await Promise.all([
      owner.get('/dashboard/projects'),
      owner.get(`/dashboard/projects?q=${encodeURIComponent(MARKUP)}`),
      owner.get(at),
      owner.get(`${at}/pages`),
      owner.get(
        `${at}/pages?q=${encodeURIComponent(MARKUP)}&status=${encodeURIComponent(MARKUP)}&done=${encodeURIComponent(MARKUP)}`,
      ),
      owner.get(`${at}/pages/${id}`),
      owner.get(`${at}/pages/${id}/preview`),
      owner.get(`${at}/pages/${id}/releases`),
      owner.get(`${at}/pages/${id}/publish`),
      owner.get(`${at}/pages/${id}/compare`),
      owner.post(`${at}/pages/${id}/propose`, { note: MARKUP }),
      owner.get(`${at}/review`),
      owner.post('/dashboard/start', { start: MARKUP, name: MARKUP }),
      owner.post('/dashboard/language', { language: MARKUP, next: MARKUP }),
      owner.get(`${at}/media`),
      owner.get(`${at}/media?q=${encodeURIComponent(MARKUP)}`),
      owner.get(asset),
      owner.get(`${at}/settings`),
      owner.get(`${at}/navigation`),
      owner.get(`${at}/theme`),
      owner.post(`${at}/theme`, { base: '', 'branding.font': MARKUP, 'announcement.text': MARKUP }),
      owner.get(`${at}/webhooks`),
      owner.get(`${at}/webhooks/${hook.body.data.id}`),
      owner.get(`${at}/audit?act=${encodeURIComponent(MARKUP)}`),
      owner.get(`${at}/data-mode?change=${encodeURIComponent(MARKUP)}`),
      owner.post(`${at}/members`, { email: MARKUP, role: MARKUP }),
      owner.post(`${at}/webhooks`, { url: MARKUP, description: MARKUP, coalesce_seconds: MARKUP }),
      owner.post(`${at}/address`, { base: '', 'hosting.custom_domain': MARKUP }),
      owner.post(`${at}/navigation`, {
        table: 'header',
        'header.rows': '1',
        'header.0.label': MARKUP,
        'header.0.href': MARKUP,
      }),
      owner.get('/dashboard/keys'),
      owner.get(`/dashboard/projects/${encodeURIComponent(MARKUP)}`),
      owner.get(`/dashboard/sign-in?next=${encodeURIComponent(MARKUP)}`),
      visitor(service).get(`/dashboard/sign-in?next=${encodeURIComponent(MARKUP)}`),
      visitor(service).get(`/dashboard/set-up?token=${encodeURIComponent(MARKUP)}`),
      visitor(service).post('/dashboard/sign-in', { email: MARKUP, password: MARKUP, next: MARKUP }),
      owner.post(`${at}/pages/${id}`, {
        base: MARKUP,
        title: '',
        slug: MARKUP,
        config: MARKUP,
        markdown_content: MARKUP,
      }),
      owner.post(`${at}/pages/new`, { title: MARKUP, slug: MARKUP, type: MARKUP, subroute: MARKUP }),
      owner.post(`${at}/pages/publish`, { page: MARKUP }),
      owner.post(`${at}/settings`, { base: '', nav_links: MARKUP, theme: MARKUP, custom_css: MARKUP }),
      owner.post(`${at}/settings/delete`, { confirm: MARKUP }),
      owner.post('/dashboard/keys', {
        name: MARKUP,
        permissions: MARKUP,
        expires_at: MARKUP,
        project_scope: MARKUP,
      }),
      visitor(service).post(`${at}/pages/${id}`, { title: MARKUP, [MARKUP]: MARKUP }),
    ])
    expect(views.filter(({ html }) => html.includes('&lt;script&gt;')).length).toBeGreaterThan(15)
    for (const { html, status } of views) {
      expect(status).toBeLessThan(500)
      expect(html.replace(OWN_SCRIPT, '')).not.toMatch(/<script|<img src=x/i)
    }
  })

  test('is shown only in frames with an origin of their own, which nobody else can frame', async () => {
    const frame = await owner.get(`${path()}/preview`)
    expect(frame.html).toMatch(/<iframe[^>]*sandbox="(?![^"]*allow-same-origin)[^"]*"/)
    const { headers, status } = await owner.get(`${path()}/document`)
    expect(status).toBe(200)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain('sandbox')
    expect(policy).not.toContain('allow-same-origin')
    expect(policy).toContain("frame-ancestors 'self'")
  })

  test('runs nothing when it is a file with scripts', async () => {
    const scripts =
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script><rect width="9" height="9" onload="alert(2)"/></svg>'
    const files: [string, string][] = [
      ['drawing.svg', scripts],
      ['page.html', '<script>alert(1)</script>'],
      ['page.png', '<script>alert(1)</script>'],
    ]
    for (const [name, body] of files) {
      const { location } = await owner.upload(`/dashboard/projects/${project}/media`, name, Buffer.from(body))
      const [asset = ''] = (location ?? '').split('?')
      const { headers } = await owner.get(`${asset}/content`)
      expect(headers.get('content-disposition')).toBe('attachment')
      expect(headers.get('content-security-policy')).toContain('sandbox')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      const [, picture] = /<img src="([^"]+)"/.exec((await owner.get(asset)).html) ?? []
      if (picture === undefined) continue
      const shown = await fetch(service.url + picture)
      expect(shown.headers.get('content-security-policy')).toContain('sandbox')
      expect(await shown.text()).not.toContain('alert')
    }
  })
})

describe('every answer', () => {
  test('has a policy without scripts, is never framed or stored, and is not for other origins', async () => {
    const answers = await Promise.all([
      owner.get('/dashboard/projects'),
      owner.get(`${path()}/releases`),
      owner.get('/dashboard/no-such-page'),
      visitor(service).get('/dashboard/sign-in'),
      visitor(service).get('/dashboard/keys'),
      owner.post(path(), {}, { 'Sec-Fetch-Site': 'cross-site' }),
    ])
    for (const { headers } of answers) {
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toMatch(/script-src|unsafe/)
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('referrer-policy')).toBe('same-origin')
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
      expect(headers.get('access-control-allow-origin')).toBe(null)
    }
  })

  test('with the editor runs its file alone, and styles with a nonce that is new each time', async () => {
    const policies = await Promise.all(
      [path(), path(), `/dashboard/projects/${project}/pages/new`].map(
        async (view) => (await owner.get(view)).headers.get('content-security-policy') ?? '',
      ),
    )
    const nonces = policies.map((policy) => /style-src 'self' 'nonce-([\w-]{22})'/.exec(policy)?.[1])
    expect(new Set(nonces).size).toBe(3)
    for (const policy of policies) {
      expect(policy).toContain("script-src 'self';")
      expect(policy).not.toMatch(/unsafe|\*|https?:/)
    }
  })

  test('with passkeys runs a file of ours, and neither inline scripts nor other styles', async () => {
    const named = { ...service, url: service.url.replace('127.0.0.1', 'localhost') }
    const { headers, html } = await visitor(named).get('/dashboard/sign-in')
    expect(html).toContain('data-passkey="get"')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/style-src 'self';.*script-src 'self'; connect-src 'self'$/)
    expect(policy).not.toMatch(/unsafe|nonce|\*|https?:/)
  })

  test('tells the address of a set-up link to no other site', async () => {
    const { headers } = await visitor(service).get('/dashboard/set-up?token=guess')
    // With `no-referrer` browsers send the form with `Origin: null`, as from a sandbox.
    expect(headers.get('referrer-policy')).toBe('same-origin')
  })
})

describe('the way back after the sign-in', () => {
  test.each([
    'https://evil.example/',
    '//evil.example/dashboard',
    '/\\evil.example',
    '/dashboard/../public/page',
    '/dashboard/%2e%2e/projects',
    '/dashboard@evil.example',
    'javascript:alert(1)',
    '/dashboard\n/evil',
    '/dashboard/sign-out',
  ])('never leaves the dashboard: %s', async (next) => {
    const { status, location } = await visitor(service).post('/dashboard/sign-in', {
      email: 'owner@localhost',
      password: PASSWORD,
      next,
    })
    expect([status, location]).toEqual([303, '/dashboard/projects'])
  })

  test('is a path of the dashboard', async () => {
    const { location } = await visitor(service).post('/dashboard/sign-in', {
      email: 'owner@localhost',
      password: PASSWORD,
      next: '/dashboard/keys?page=2',
    })
    expect(location).toBe('/dashboard/keys?page=2')
  })
})

describe('a form with fields of its own', () => {
  test('changes nothing that the form does not have', async () => {
    const other = await service.newProject('Other')
    const fields = shownFields((await owner.get(path())).html, path())
    await owner.post(path(), {
      ...fields,
      description: 'New',
      project_id: other,
      status: 'published',
      id: 'x',
      published_at: '2020-01-01',
      user_id: 'usr_x',
      version: '99',
    })
    const { body } = await service.call('GET', `/pages/${page}`)
    expect(body.data).toMatchObject({
      description: 'New',
      project_id: project,
      status: 'draft',
      published_at: null,
    })
    const settings = `/dashboard/projects/${project}/settings`
    await owner.post(settings, {
      ...shownFields((await owner.get(settings)).html, settings),
      custom_domain: 'evil.example',
      status: 'suspended',
      hosting: '{}',
    })
    expect((await service.call('GET', `/projects/${project}`)).body.data).toMatchObject({
      domain: null,
      status: 'active',
    })
  })
})

describe('a session', () => {
  test('is never one that a client brought along', async () => {
    const planted = 'quoin_session=plantedplantedplantedplantedplantedplanted1'
    const { headers } = await visitor(service, planted).post('/dashboard/sign-in', {
      email: 'owner@localhost',
      password: PASSWORD,
    })
    const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';')
    expect(cookie).toMatch(/^quoin_session=[\w-]{40,}$/)
    expect(cookie).not.toBe(planted)
    expect((await visitor(service, planted).get('/dashboard/account')).status).toBe(303)
    expect((await visitor(service, `${cookie}; ${planted}`).get('/dashboard/account')).status).toBe(303)
  })

  test('ends at the sign-in that replaces it, and at the sign-out', async () => {
    const first = await signIn(visitor(service))
    const second = await signIn(first)
    expect((await first.get('/dashboard/account')).status).toBe(303)
    const { headers } = await second.post('/dashboard/sign-out')
    expect(headers.get('set-cookie')).toContain('Max-Age=0')
    expect((await second.get('/dashboard/account')).status).toBe(303)
  })

  test('has a cookie that no script reads and no other site sends along', async () => {
    const { headers } = await visitor(service).post('/dashboard/sign-in', {
      email: 'owner@localhost',
      password: PASSWORD,
    })
    expect(headers.get('set-cookie')).toMatch(/; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/)
  })

  test('keeps what was typed when it has ended', async () => {
    const { status, html } = await visitor(service).post(path(), {
      title: 'A title',
      markdown_content: 'Long text',
      password: 'secret',
    })
    expect(status).toBe(401)
    expect(html).toContain('Long text')
    expect(html).not.toContain('secret')
  })

  async function signIn(client: DashboardClient): Promise<DashboardClient> {
    const { headers } = await client.post('/dashboard/sign-in', {
      email: 'owner@localhost',
      password: PASSWORD,
    })
    return visitor(service, (headers.get('set-cookie') ?? '').split(';')[0] ?? '')
  }
})

describe('the records of another account', () => {
  test('are answered by every route like records that do not exist', async () => {
    // Two, because a session may send 120 forms a minute.
    const strangers = [
      await signedIn(service, await service.newUser()),
      await signedIn(service, await service.newUser()),
    ] as const
    await service.call('POST', `/pages/${page}/publish`)
    const asset =
      (await owner.upload(`/dashboard/projects/${project}/media`, 'mine.png', flatPng(8, 8))).location ?? ''
    const job =
      (await owner.post(`/dashboard/projects/${project}/pages/publish`, { which: 'stale' })).location ?? ''
    const session =
      /sessions\/(ses_\w+)\/end/.exec((await (await second()).get('/dashboard/account')).html)?.[1] ?? ''
    const key = /keys\/(key_\w+)\/revoke/.exec((await owner.get('/dashboard/keys')).html)?.[1] ?? ''
    const hook = await service.call('POST', `/projects/${project}/webhooks`, { url: 'https://example.com/a' })
    const webhook = hook.body.data.id
    const sent = await service.call('POST', `/projects/${project}/webhooks/${webhook}/test`)
    const delivery = sent.body.data.id
    const [{ id: member }] = (await service.call('GET', `/projects/${project}/members`)).body.data
    const foreign = {
      project,
      page,
      asset: lastOf(asset),
      job: lastOf(job),
      key,
      session,
      webhook,
      delivery,
      member,
    }
    const unknown = Object.fromEntries(
      Object.entries(foreign).map(([name, id]) => [name, id.replace(/_\w+$/, '_aaaaaaaaaaaaaaaa')]),
    )
    expect(Object.values(foreign).every((id) => /^\w+_\w{16}$/.test(id))).toBe(true)

    const routes = (await dashboardRoutes()).filter(({ path }) => path.includes(':'))
    expect(routes.length).toBeGreaterThan(25)
    for (const [index, { method, path }] of routes.entries()) {
      const stranger = strangers[index % 2 === 0 ? 0 : 1]
      const [theirs, none] = [filled(path, foreign), filled(path, unknown)]
      const fields = {
        title: 'Stolen',
        slug: 'stolen',
        confirm: 'Site',
        page,
        release: 'x',
        which: 'stale',
        publish_at: '',
        base: '',
      }
      const isUpload = method === 'POST' && /\/media(\/:asset\/replace)?$/.test(path)
      const ask = (target: string) =>
        isUpload
          ? stranger.upload(target, 'a.png', flatPng(8, 8))
          : method === 'GET'
            ? stranger.get(target)
            : stranger.post(target, fields)
      const [a, b] = [await ask(theirs), await ask(none)]
      expect([method, path, a.status]).toEqual([method, path, 404])
      expect(plain(a.html, theirs)).toBe(plain(b.html, none))
    }
    expect((await service.call('GET', `/pages/${page}`)).body.data.status).toBe('published')
  })

  test('are not reached through a project of one’s own', async () => {
    const stranger = await signedIn(service, await service.newUser())
    const created = await stranger.post('/dashboard/start', { start: 'blank', name: 'Mine' })
    const [own = ''] = /^\/dashboard\/projects\/\w+/.exec(created.location ?? '') ?? []
    expect((await stranger.get(`${own}/pages/${page}`)).status).toBe(404)
    expect((await stranger.post(`${own}/pages/${page}/delete`)).status).toBe(404)
    const chosen = await stranger.post(`${own}/pages/publish`, { page })
    expect(chosen.status).toBe(422)
  })

  const lastOf = (target: string) => target.split('?')[0]?.split('/').at(-1) ?? ''
  const filled = (route: string, ids: Record<string, string>) =>
    route.replaceAll(/:(\w+)/g, (_, name) => ids[name] ?? '')
  const plain = (html: string, target: string) => html.replaceAll(target, '').replace(/Request [\w-]+/, '')

  async function second(): Promise<DashboardClient> {
    const { headers } = await visitor(service).post('/dashboard/sign-in', {
      email: 'owner@localhost',
      password: PASSWORD,
    })
    return visitor(service, (headers.get('set-cookie') ?? '').split(';')[0] ?? '')
  }
})
