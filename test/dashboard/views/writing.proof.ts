import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readStarts } from '../../../src/dashboard/frame/starts.ts'
import { PACKAGE_ROOT } from '../../../src/platform/package-paths.ts'
import { type DashboardClient, shownFields, signedIn } from '../../support/dashboard.ts'
import { acceptOffers } from '../../support/offers.ts'
import { flatPng } from '../../support/pictures.ts'
import { pageBody, startService, type TestService } from '../../support/service.ts'

let service: TestService
let owner: DashboardClient

beforeAll(async () => {
  service = await startService()
  owner = await signedIn(service)
})
afterAll(() => service?.close())

const JSON_ONLY = { Accept: 'application/json' }
const doneOf = ({ location }: { readonly location: string | null }) => location?.split('done=')[1]

async function newPage(project: string, fields: object = {}): Promise<string> {
  return (await service.call('POST', '/pages', pageBody(project, fields))).body.data.id
}

/** A member of a project, signed in. */
async function memberOf(project: string, role: string): Promise<DashboardClient> {
  const user = await service.newUser()
  const client = await signedIn(service, user)
  const email = /class="who">([^<]+)</.exec((await client.get('/dashboard/start')).html)?.[1] ?? ''
  await owner.post(`/dashboard/projects/${project}/members`, { email, role })
  await acceptOffers(service, user)
  return client
}

describe('the first site', () => {
  test.each(readStarts(`${PACKAGE_ROOT}templates/dashboard`).map(({ name }) => name))(
    'can be published as it is, without a warning, when it begins with %s',
    async (start) => {
      const created = await owner.post('/dashboard/start', { start, name: `A ${start}` })
      expect(doneOf(created)).toBe('projectStarted')
      const [, project = ''] = /projects\/(proj_\w+)/.exec(created.location ?? '') ?? []
      const { data } = (await service.call('GET', `/pages?project_id=${project}`)).body
      expect(data.length).toBeGreaterThan(0)
      for (const { id } of data) {
        const { status, body } = await service.call('POST', `/pages/${id}/publish`)
        expect([start, status, body.data?.warnings ?? []]).toEqual([start, 200, []])
      }
    },
  )

  test.each([
    ['blog', 'Say in a sentence or two what this blog is about.'],
    ['landing', 'And in one sentence for whom, and what is better with it.'],
  ])('leads to the fields whose words visitors see first when it begins with %s', async (start, words) => {
    const { location } = await owner.post('/dashboard/start', { start, name: 'Words' })
    const { html } = await owner.get(location ?? '')
    const [form = ''] = /<form[^>]*data-live[\s\S]*?<\/form>/.exec(html) ?? []
    expect(form).toContain(words)
    expect(html).toContain('Your site is there.')
  })

  test('needs a start and a name, and keeps both', async () => {
    const { status, html } = await owner.post('/dashboard/start', { start: 'docs', name: '' })
    expect(status).toBe(422)
    expect(html).toMatch(/value="docs" required checked/)
  })
})

describe('a save without a script', () => {
  test.each([
    ['CRLF', 'One\r\n\r\nTwo  \r\n\tThree\r\n'],
    ['mixed ends and no last one', 'One\r\n\nTwo\r\rThree\nFour'],
    ['a byte order mark', '\ufeffOne\r\nTwo\n'],
  ])('changes only the line that was typed in, in a text with %s', async (_, text) => {
    const project = await service.newProject()
    const id = await newPage(project, { markdown_content: text })
    const path = `/dashboard/projects/${project}/pages/${id}`
    // Browsers send every line end as CRLF.
    const sent = text.replace('Two', 'Two boats').replaceAll(/\r\n?|\n/g, '\r\n')
    expect(doneOf(await owner.submit(path, path, { markdown_content: sent }))).toBe('pageSaved')
    const stored = async () => (await service.call('GET', `/pages/${id}`)).body.data.markdown_content
    expect(await stored()).toBe(text.replace('Two', 'Two boats'))
    await owner.submit(path, path, { markdown_content: sent, title: 'Another title' })
    expect(await stored()).toBe(text.replace('Two', 'Two boats'))
  })

  test('has the language of its page, for the spelling of browsers', async () => {
    const project = await service.newProject()
    const locales = [
      { code: 'en', label: 'English' },
      { code: 'de', label: 'Deutsch', subroute: 'de' },
    ]
    await service.call('PUT', `/projects/${project}/settings`, { locales })
    const id = await newPage(project, { subroute: 'de/blog' })
    const { html } = await owner.get(`/dashboard/projects/${project}/pages/${id}`)
    expect(html).toMatch(/<textarea class="text-field"[^>]* lang="de"/)
    const created = await owner.get(`/dashboard/projects/${project}/pages/new`)
    expect(created.html).toMatch(/<textarea class="text-field"[^>]* lang="en"/)
  })

  test('shows no conflict where another person has changed line ends alone', async () => {
    const project = await service.newProject()
    const id = await newPage(project, { markdown_content: 'One\nTwo' })
    const path = `/dashboard/projects/${project}/pages/${id}`
    const fields = shownFields((await owner.get(path)).html, path)
    await service.call('PUT', `/pages/${id}`, { markdown_content: 'One\r\nTwo' })
    expect(doneOf(await owner.post(path, { ...fields, markdown_content: 'One\nThree' }))).toBe('pageSaved')
    expect((await service.call('GET', `/pages/${id}`)).body.data.markdown_content).toBe('One\r\nThree')
  })
})

describe('a publish', () => {
  test('says before what changes in the text and on the site, and which links are dead', async () => {
    const project = await service.newProject()
    const id = await newPage(project, { markdown_content: 'One\n\nTwo\n\nThree' })
    await service.call('POST', `/pages/${id}/publish`)
    await service.call('PUT', `/pages/${id}`, { markdown_content: 'One\n\n[Two](/no-such)\n\nThree' })
    const path = `/dashboard/projects/${project}/pages/${id}`
    const { html } = await owner.get(`${path}/publish`)
    expect(html).toContain('<del>Two</del>')
    expect(html).toContain('<ins>[Two](/no-such)</ins>')
    expect(html).toContain('A link or picture leads nowhere')
    expect(html).toContain(`<a href="${path}#field-markdown_content">Text</a>`)
    expect(html).toMatch(/\d+ changed files?/)
    expect((await service.call('GET', `/pages/${id}`)).body.data.has_unpublished_changes).toBe(true)
    expect(doneOf(await owner.post(`${path}/publish`))).toBe('pagePublished')
    expect((await owner.get(`${path}/publish`)).html).toContain('Nothing. The page is live as it is.')
  })

  test('says why in place of its plan when it would be refused', async () => {
    const project = await service.newProject()
    await service.call('POST', `/pages/${await newPage(project, { slug: 'same' })}/publish`)
    const other = await newPage(project, { slug: 'other', config: { redirect_from: ['/same'] } })
    const { status, html } = await owner.get(`/dashboard/projects/${project}/pages/${other}/publish`)
    expect([status < 500, html.includes('/same')]).toEqual([true, true])
  })

  test('says in the list of releases who published it, and in which way', async () => {
    const project = await service.newProject()
    const id = await newPage(project, { slug: 'who' })
    await service.call('POST', `/pages/${id}/publish`)
    const path = `/dashboard/projects/${project}/pages/${id}`
    await service.call('PUT', `/pages/${id}`, { markdown_content: 'Two' })
    await owner.post(`${path}/publish`)
    const { html } = await owner.get(`${path}/releases`)
    const ways = [...html.matchAll(/<\/time> · ([^<]*)</g)].map(([, way]) => way)
    expect(ways).toEqual(['owner@localhost in the dashboard', 'owner@localhost with an API key'])
    const german = await owner.get(`${path}/releases`, { 'Accept-Language': 'de' })
    expect(german.html).toContain('owner@localhost')
  })

  test('gives its text back to the draft, while the address and what is live stay', async () => {
    const project = await service.newProject()
    const id = await newPage(project, { title: 'First', markdown_content: 'One', slug: 'first' })
    await service.call('POST', `/pages/${id}/publish`)
    await service.call('PUT', `/pages/${id}`, { title: 'Second', markdown_content: 'Two', slug: 'second' })
    await service.call('POST', `/pages/${id}/publish`)
    const path = `/dashboard/projects/${project}/pages/${id}`
    const { html } = await owner.get(`${path}/releases`)
    const releases = [...html.matchAll(/take-text"[^>]*>.*?name="release" value="(rel_\w+)"/g)].map(
      ([, ref]) => ref,
    )
    const taken = await owner.post(`${path}/take-text`, { release: releases[1] ?? '' })
    expect([releases.length, taken.location]).toEqual([2, `${path}?done=textTaken`])
    const { data } = (await service.call('GET', `/pages/${id}`)).body
    expect([data.page_name ?? data.title, data.markdown_content, data.slug]).toEqual([
      'First',
      'One',
      'second',
    ])
    expect(data.has_unpublished_changes).toBe(true)
    const other = await newPage(project, { slug: 'other' })
    const foreign = `/dashboard/projects/${project}/pages/${other}`
    expect((await owner.post(`${foreign}/take-text`, { release: releases[0] ?? '' })).status).toBe(404)
  })

  test('is compared with earlier ones, line by line, and only with those of the page', async () => {
    const project = await service.newProject()
    const id = await newPage(project, { markdown_content: 'First' })
    const path = `/dashboard/projects/${project}/pages/${id}`
    await owner.post(`${path}/publish`)
    await service.call('PUT', `/pages/${id}`, { markdown_content: 'Second', description: 'New' })
    await owner.post(`${path}/publish`)
    const { data } = (await service.call('GET', `/pages/${id}/releases`)).body
    const [second, first] = data.map((release: { id: string }) => release.id)
    const { html } = await owner.get(`${path}/compare?from=${first}&to=${second}`)
    expect(html).toContain('<del>First</del>')
    expect(html).toContain('<ins>Second</ins>')
    expect(html).toContain('<ins>New</ins>')
    expect((await owner.get(`${path}/compare?from=${second}`)).html).toContain('No difference')
    const other = await newPage(project, { slug: 'other' })
    const elsewhere = `/dashboard/projects/${project}/pages/${other}/compare?from=${first}`
    expect((await owner.get(elsewhere)).status).toBe(404)
  })

  test('is drawn next to another one, each in a sandbox, and never as a release of another page', async () => {
    const project = await service.newProject()
    const id = await newPage(project, { markdown_content: 'First' })
    const path = `/dashboard/projects/${project}/pages/${id}`
    await owner.post(`${path}/publish`)
    await service.call('PUT', `/pages/${id}`, { markdown_content: 'Second' })
    const [{ id: release }] = (await service.call('GET', `/pages/${id}/releases`)).body.data
    const { html } = await owner.get(`${path}/compare`)
    const frames = [...html.matchAll(/<iframe[^>]*src="([^"]*)"[^>]*sandbox="([^"]*)"/g)]
    expect(frames.map(([, source]) => source)).toEqual([
      `${path}/document?release=${release}`,
      `${path}/document`,
    ])
    expect(frames.some(([, , sandbox]) => sandbox?.includes('same-origin'))).toBe(false)
    const [before, after] = await Promise.all(frames.map(([, source = '']) => owner.get(source)))
    expect(before?.html).toContain('First')
    expect(before?.html).not.toContain('Second')
    expect(before?.headers.get('content-security-policy')).toMatch(/^sandbox (?!.*same-origin)/)
    expect(after?.html).toContain('Second')
    const other = await newPage(project, { slug: 'other' })
    const elsewhere = `/dashboard/projects/${project}/pages/${other}/document?release=${release}`
    expect((await owner.get(elsewhere)).status).toBe(404)
  })
})

describe('a review', () => {
  test('leads from an author’s proposal over a note to the publish of an editor', async () => {
    const project = await service.newProject()
    const [author, editor] = [await memberOf(project, 'author'), await memberOf(project, 'editor')]
    const id = await newPage(project, { title: 'Tides' })
    const path = `/dashboard/projects/${project}/pages/${id}`
    expect((await author.post(`${path}/publish`)).status).toBe(403)
    expect(doneOf(await author.post(`${path}/propose`, { note: 'Ready?' }))).toBe('pageProposed')
    const list = `/dashboard/projects/${project}/review`
    expect((await editor.get(`/dashboard/projects/${project}/pages`)).html).toContain('1 page is proposed')
    expect((await editor.get(list)).html).toContain('Ready?')
    expect((await author.post(`${path}/return`, { note: 'Me' })).status).toBe(403)
    const silent = await editor.post(`${path}/return`, { note: ' ' })
    expect([silent.status, silent.html.includes('say what must change')]).toEqual([422, true])
    expect(doneOf(await editor.post(`${path}/return`, { note: 'A picture is missing.' }))).toBe(
      'pageReturned',
    )
    expect((await author.get(path)).html).toContain('A picture is missing.')
    expect((await editor.get(list)).html).toContain('No page waits')
    await author.post(`${path}/propose`, { note: '' })
    expect(doneOf(await editor.post(`${path}/publish`))).toBe('pagePublished')
    expect((await editor.get(list)).html).toContain('No page waits')
    expect((await author.post(`${path}/withdraw`)).status).toBe(400)
  })

  test('shares a preview with people who have no account, by a link', async () => {
    const project = await service.newProject()
    const id = await newPage(project, { markdown_content: 'Only by link.' })
    const { html } = await owner.post(`/dashboard/projects/${project}/pages/${id}/share`)
    const [, url = ''] = /class="secret">([^<]+)</.exec(html) ?? []
    expect(await (await fetch(url.replaceAll('&amp;', '&'))).text()).toContain('Only by link.')
  })
})

describe('what the live editor asks for', () => {
  test('is the page as it is typed, which stores nothing', async () => {
    const project = await service.newProject()
    const id = await newPage(project, { markdown_content: 'Stored' })
    const path = `/dashboard/projects/${project}/pages/${id}`
    const fields = shownFields((await owner.get(path)).html, path)
    const drawn = await owner.post(`${path}/document`, { ...fields, markdown_content: '## Typed' })
    expect(drawn.html).toContain('Typed')
    expect(drawn.headers.get('content-security-policy')).toMatch(/^sandbox(?!.*allow-same-origin)/)
    expect((await service.call('GET', `/pages/${id}`)).body.data.markdown_content).toBe('Stored')
  })

  test('is stored with what it was based on, and refused when another person was faster', async () => {
    const project = await service.newProject()
    const id = await newPage(project, { markdown_content: 'First' })
    const path = `/dashboard/projects/${project}/pages/${id}`
    const { base = '' } = shownFields((await owner.get(path)).html, path)
    const saved = await owner.post(path, { base, markdown_content: 'Second' }, JSON_ONLY)
    const { base: next } = JSON.parse(saved.html)
    expect((await owner.post(path, { base: next, markdown_content: 'Third' }, JSON_ONLY)).status).toBe(200)
    const late = await owner.post(path, { base, markdown_content: 'Late' }, JSON_ONLY)
    expect([late.status, JSON.parse(late.html).message]).toEqual([
      412,
      expect.stringMatching(/Another person/),
    ])
    expect((await service.call('GET', `/pages/${id}`)).body.data.markdown_content).toBe('Third')
  })

  test('are pages to link to, and places for pictures', async () => {
    const project = await service.newProject()
    await newPage(project, { title: 'High tide', slug: 'high', subroute: 'sea' })
    const at = `/dashboard/projects/${project}`
    expect(JSON.parse((await owner.get(`${at}/pages/find?q=tide`)).html)).toEqual([
      { title: 'High tide', path: '/sea/high' },
    ])
    expect(JSON.parse((await owner.get(`${at}/pages/find?q=none`)).html)).toEqual([])
    const form = new FormData()
    form.append('file', new File([new Uint8Array(flatPng(9, 9))], 'The sea.png'))
    const headers = { Cookie: owner.cookie ?? '', 'Sec-Fetch-Site': 'same-origin', ...JSON_ONLY }
    const answer = await fetch(`${service.url}${at}/media`, { method: 'POST', headers, body: form })
    expect([answer.status, await answer.json()]).toEqual([200, { name: 'The sea.png' }])
  })
})
