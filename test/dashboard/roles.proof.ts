import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROLES, type Role } from '../../src/domain/roles.ts'
import { type DashboardClient, shownFields, signedIn } from '../support/dashboard.ts'
import { dashboardRoutes } from '../support/dashboard-routes.ts'
import { acceptOffers } from '../support/offers.ts'
import { flatPng } from '../support/pictures.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let owner: DashboardClient

beforeAll(async () => {
  service = await startService()
  owner = await signedIn(service)
})
afterAll(() => service?.close())

interface Known {
  readonly project: string
  readonly page: string
  readonly draft: string
  readonly asset: string
  readonly webhook: string
  readonly delivery: string
  readonly redirect: string
  readonly member: string
  readonly job: string
}

/** A project with a record of each kind, and a member of this role who is signed in. */
async function projectWith(role: Role): Promise<{ readonly ids: Known; readonly client: DashboardClient }> {
  const project = await service.newProject(`With ${role}`)
  const newPage = async (slug: string) =>
    (await service.call('POST', '/pages', pageBody(project, { slug, type: 'page' }))).body.data.id as string
  const [page, draft] = [await newPage('live'), await newPage('draft')]
  for (const text of ['First', 'Second']) {
    await service.call('PUT', `/pages/${page}`, { markdown_content: text })
    await service.call('POST', `/pages/${page}/publish`)
  }
  const { location } = await owner.upload(`/dashboard/projects/${project}/media`, 'sea.png', flatPng(9, 9))
  const hooks = `/projects/${project}/webhooks`
  const webhook = (await service.call('POST', hooks, { url: 'https://hooks.invalid/a' })).body.data.id
  const delivery = (await service.call('POST', `${hooks}/${webhook}/test`)).body.data.id
  const moved = { from: '/old', to: 'https://example.org/' }
  const redirect = (await service.call('POST', `/projects/${project}/redirects`, moved)).body.data.id
  const user = await service.newUser()
  const client = await signedIn(service, user)
  const email = /class="who">([^<]+)</.exec((await client.get('/dashboard/start')).html)?.[1] ?? ''
  const members = `/dashboard/projects/${project}/members`
  await owner.post(members, { email: 'waits@example.com', role: 'viewer' })
  expect((await owner.post(members, { email, role })).html).toContain('/dashboard/invitation?token=')
  await acceptOffers(service, user)
  const listed: { id: string; email: string }[] = (await service.call('GET', `/projects/${project}/members`))
    .body.data
  const job = await owner.post(`/dashboard/projects/${project}/pages/publish`, { page })
  const last = (path: string | null) => path?.split('?')[0]?.split('/').at(-1) ?? ''
  return {
    client,
    ids: {
      project,
      page,
      draft,
      asset: last(location),
      webhook,
      delivery,
      redirect,
      member: listed.find((one) => one.email === 'waits@example.com')?.id ?? '',
      job: last(job.location),
    },
  }
}

const GUESSES = {
  table: 'header',
  act: 'archive',
  title: 'Changed',
  next: 'stay',
  base: '',
  confirm: 'x',
  role: 'owner',
  understood: 'yes',
}

describe('the forms of a project', () => {
  test.each(ROLES)('are all accepted from the role %s when they are shown to it', async (role) => {
    const { ids, client } = await projectWith(role)
    const forms = new Map<string, Readonly<Record<string, string>>>()
    const seen = new Set<string>()
    const waiting = [`/dashboard/projects/${ids.project}`]
    for (let view = waiting.pop(); view !== undefined; view = waiting.pop()) {
      if (seen.has(view)) continue
      seen.add(view)
      const { status, html } = await client.get(view)
      expect([role, view, status]).toEqual([role, view, 200])
      for (const [, target = ''] of html.matchAll(/(?:href|src)="(\/dashboard\/projects\/[^"#]*)"/g))
        if (target.startsWith(`/dashboard/projects/${ids.project}`) && !/\/(content|document)$/.test(target))
          waiting.push(target.replaceAll('&amp;', '&'))
      for (const [, action = ''] of html.matchAll(
        /(?:<form[^>]*method="post"[^>]*action|formaction)="([^"]+)"/g,
      ))
        if (action.startsWith('/dashboard/projects/')) forms.set(action, shownFields(html, action))
    }
    expect(forms.size).toBeGreaterThan(role === 'viewer' ? 0 : 5)
    const isLast = (action: string) => /\/(delete|archive|remove|unpublish|rollback)$/.test(action)
    const ordered = [...forms].sort(([a], [b]) => Number(isLast(a)) - Number(isLast(b)))
    for (const [action, fields] of ordered.filter(([action]) => !/settings\/|members\//.test(action))) {
      const { status, html } = /\/media(\/\w+\/replace)?$/.test(action)
        ? await client.upload(action, 'again.png', flatPng(7, 7))
        : await client.post(action, fields)
      expect([role, action, status === 403, /not allowed/.test(html) && status >= 400]).toEqual([
        role,
        action,
        false,
        false,
      ])
    }
  })

  test('are refused of a viewer one by one, and change nothing', async () => {
    const { ids, client } = await projectWith('viewer')
    const acts = async () =>
      (await service.call('GET', `/projects/${ids.project}/audit?limit=1`, undefined, { key: manager })).body
        .meta.total
    const manager = await service.newKey({ permissions: ['read', 'manage'] })
    const before = await acts()
    const routes = (await dashboardRoutes()).filter(
      ({ method, path }) => method === 'POST' && path.includes('/projects/:project'),
    )
    expect(routes.length).toBeGreaterThan(30)
    for (const { path } of routes) {
      const target = path.replaceAll(/:(\w+)/g, (_, name) => ids[name as keyof Known] ?? '')
      const { status } = /\/media(\/:asset\/replace)?$/.test(path)
        ? await client.upload(target, 'again.png', flatPng(7, 7))
        : await client.post(target, { ...GUESSES, page: ids.page, which: 'stale', release: 'x' })
      expect([path, status]).toEqual([path, 403])
    }
    expect(await acts()).toBe(before)
  })
})
