import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DashboardClient, signedIn } from '../../support/dashboard.ts'
import { startService, type TestService } from '../../support/service.ts'

let service: TestService
let owner: DashboardClient
let project: string
let view: string
beforeAll(async () => {
  service = await startService()
  owner = await signedIn(service)
  project = await service.newProject('Moves')
  view = `/dashboard/projects/${project}/redirects`
  const page = { project_id: project, title: 'A', type: 'docs', subroute: 'docs', slug: 'page' }
  const { id } = (await service.call('POST', '/pages', page)).body.data
  await service.call('POST', `/pages/${id}/publish`)
})
afterAll(() => service?.close())

const list = async () => (await service.call('GET', `/projects/${project}/redirects`)).body.data
const upload = (name: string, text: string) => owner.upload(`${view}/upload`, name, Buffer.from(text))
const rows = (html: string) =>
  [...html.matchAll(/<th role="rowheader" scope="row" class="any">([^<]*)</g)].map(([, from]) => from)

test('a person who deletes a page says where its addresses lead, and is told why they cannot', async () => {
  const page = { project_id: project, title: 'B', type: 'docs', subroute: 'docs', slug: 'other' }
  const { id } = (await service.call('POST', '/pages', page)).body.data
  await service.call('POST', `/pages/${id}/publish`)
  const editor = `/dashboard/projects/${project}/pages/${id}`
  expect((await owner.get(editor)).html).toContain('Its address leads to')
  const refused = await owner.submit(editor, `${editor}/delete`, { redirect_to: '/docs/other' })
  expect([refused.status, refused.html.includes('must lead to something else')]).toEqual([422, true])
  expect((await owner.submit(editor, `${editor}/delete`, { redirect_to: '/docs/page' })).status).toBe(303)
  const [redirect] = await list()
  expect(redirect).toMatchObject({ from: '/docs/other', to: '/docs/page', live: true })
  await service.call('DELETE', `/projects/${project}/redirects/${redirect.id}`)
})

describe('the redirects of a project in its settings', () => {
  test('are added, changed and deleted by a form', async () => {
    expect((await owner.get(view)).html).toContain('There are no redirects.')
    const added = await owner.submit(view, view, { from: '/old', to: '/docs/page' })
    expect([added.status, added.location]).toEqual([303, `${view}?done=redirectSaved`])
    const { html } = await owner.get(view)
    expect(rows(html)).toEqual(['/old'])
    expect(html).toContain('chip-live')
    await owner.submit(view, view, { from: '/old', to: 'https://example.org/' })
    expect(await list()).toMatchObject([{ from: '/old', to: 'https://example.org/' }])
    const [, action = ''] = /action="([^"]+\/delete)"/.exec((await owner.get(view)).html) ?? []
    expect((await owner.submit(view, action, {})).location).toBe(`${view}?done=redirectDeleted`)
    expect(await list()).toEqual([])
  })

  test('show why one cannot be made, with what was typed', async () => {
    const refused = await owner.submit(view, view, { from: '/docs/page', to: '/x' })
    expect(refused.status).toBe(400)
    expect(refused.html).toContain('/docs/page is the path of a page.')
    expect(refused.html).toContain('value="/docs/page"')
    const invalid = await owner.submit(view, view, { from: 'old', to: '/docs/page' })
    expect(invalid.status).toBe(422)
    expect(invalid.html).toContain('must be a path of the site')
  })

  test('are read from redirects.yaml and from _redirects, and refused lines are shown', async () => {
    const yaml = await upload('redirects.yaml', '/a: /docs/page\n/b/*: /docs/page\n/docs/page: /x\n')
    expect(yaml.html).toContain('1 added, 0 changed, 0 unchanged.')
    expect(yaml.html).toContain('2 lines were refused')
    expect(yaml.html).toMatch(/<strong>Line 2:<\/strong> \/b\/\* is a pattern/)
    expect(yaml.html).toMatch(/<strong>Line 3:<\/strong> \/docs\/page: \/docs\/page is the path of a page/)
    const netlify = await upload('_redirects', '/a https://example.org/\n/c /docs/page 302\n/d /none\n')
    expect(netlify.html).toContain('1 added, 1 changed, 0 unchanged.')
    expect(netlify.html).toContain('Line 2:')
    expect((await list()).map(({ from }: { from: string }) => from)).toEqual(['/a', '/d'])
  })

  test('lead where they say, also when the redirect of their target is refused', async () => {
    await upload('redirects.yaml', '/before: /docs/page#x\n/docs/page: /x\n')
    expect(await list()).toContainEqual(expect.objectContaining({ from: '/before', to: '/docs/page#x' }))
    const [, path = ''] = /action="([^"]+\/delete)"/.exec((await owner.get(`${view}?q=/before`)).html) ?? []
    await owner.submit(`${view}?q=/before`, path, {})
  })

  test('are found by a text, by their kind, and when they lead nowhere', async () => {
    expect(rows((await owner.get(`${view}?q=example.org`)).html)).toEqual(['/a'])
    expect(rows((await owner.get(`${view}?dead=true`)).html)).toEqual(['/d'])
    expect((await owner.get(`${view}?kind=stated`)).html).toContain('No redirect matches.')
  })

  test('are shown in German, also what was refused', async () => {
    const german = { 'Accept-Language': 'de' }
    const { html } = await owner.get(view, german)
    for (const text of ['Weiterleitungen', 'Führt ins Leere', 'Weiterleitung anlegen', 'Datei hochladen'])
      expect(html).toContain(text)
    const refused = await owner.post(view, { from: '/docs/page', to: '/x' }, german)
    expect(refused.html).toContain('/docs/page ist der Pfad einer Seite.')
  })
})
