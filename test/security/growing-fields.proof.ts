import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { EDITOR_SCHEMAS, editorSchema } from '../../src/cli/schema.ts'
import { readSiteTexts } from '../../src/content-folder/read-site.ts'
import { PERMISSIONS } from '../../src/domain/caller.ts'
import { createApiDocument } from '../../src/http/openapi/api-document.ts'
import { SECTION_TYPES } from '../../src/sections/catalogue.ts'
import { sectionsJsonSchema } from '../../src/sections/json-schema.ts'
import { createValueMaker } from '../fuzz/values.ts'
import { startCommand } from '../support/command.ts'
import { type DashboardClient, PASSWORD, shownFields, visitor } from '../support/dashboard.ts'
import { growthOf, LINEAR_GROWTH } from '../support/growth.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { flatPng } from '../support/pictures.ts'
import { startProbedService } from '../support/probed-service.ts'
import { createRandom } from '../support/random.ts'
import { pageBody } from '../support/service.ts'
import { GROWING_TEXTS, resolverOf, type Schema, textualFields, withText } from './textual-fields.ts'

/*
 * Each field of each surface in which a client writes a text, with each family of texts: the main thread is busy for no
 * longer than 0.1 s without a pause, and no more than twice as long as the length explains. CPU time is measured, and
 * of some attempts the shortest counts. Fields of paths and queries are missing: Node.js limits them to 16 KiB.
 */

const LENGTH = 50_000
const MAX_STALL_MS = 100
/** Stalls of this length are those of any request. */
const NOISE_MS = 20
/** A text of four times the length may take four times as long, and twice that on a busy machine. */
const MAX_GROWTH = 8
const ATTEMPTS = 3
/** Of all fields with all families, one of so many is tried in the short form. */
const ONE_OF = 24

/** Every nth case, four times as many in the long form, and all of them with QUOIN_ATTACKS=all: that takes minutes. */
function share<Case>(cases: readonly Case[], every: number): readonly Case[] {
  if (process.env['QUOIN_ATTACKS'] === 'all') return cases
  return cases.filter((_, index) => index % (LONG_FORM ? every / 4 : every) === 0)
}

interface Answer {
  readonly status: number
  readonly text: string
}
interface Case {
  readonly name: string
  readonly send: (text: string) => Promise<Answer>
}

type Family = readonly [name: string, textOf: (length: number) => string]
const FAMILIES: readonly Family[] = Object.entries(GROWING_TEXTS)

interface TriedCase extends Case {
  readonly family: Family
}

type Probe = Pick<Awaited<ReturnType<typeof startProbedService>>, 'longestStall'>

const onLinux = test.runIf(process.platform === 'linux')

onLinux('no text in a field of the API keeps others waiting', async () => {
  const service = await startProbedService()
  const { call, ids } = await newRecords(service)
  const document = JSON.parse(
    JSON.stringify(createApiDocument({ themes: ['default'], baseUrl: service.url })),
  )
  const resolve = resolverOf(document)
  const { make } = createValueMaker({
    random: createRandom(1),
    resolve,
    someId: (kind) => (kind === 'proj' ? ids.project : ids.page),
  })
  const cases = Object.entries<Record<string, Operation>>(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content?.['application/json']?.schema
      if (schema === undefined) return []
      const path = pathOf(template, ids)
      const base = make(schema, '')
      return textualFields(schema, resolve).map((field) => ({
        name: `${method} ${template} ${field.join('.')}`,
        send: (text: string) => call(method.toUpperCase(), path, withText(base, field, text)),
      }))
    }),
  )
  expect(cases.length).toBeGreaterThan(200)
  expect(await findings(share(withFamilies(cases), ONE_OF), service)).toEqual([])
})

onLinux('no text in a field of a section keeps others waiting', async () => {
  const service = await startProbedService()
  const { call, ids } = await newRecords(service)
  const schema = sectionsJsonSchema() as Schema
  const cases = SECTION_TYPES.flatMap(({ name: type }) =>
    textualFields({ $ref: `#/$defs/${type}` }, resolverOf(schema)).map((field) => ({
      name: `${type} ${field.join('.')}`,
      send: (text: string) =>
        call('PUT', `/pages/${ids.landing}`, { config: { sections: [withText({ type }, field, text)] } }),
    })),
  )
  expect(cases.length).toBeGreaterThan(500)
  expect(await findings(share(withOneFamily(cases), 8), service)).toEqual([])
})

onLinux('no text in an argument of a tool of MCP keeps others waiting', async () => {
  const service = await startProbedService()
  const { call, ids } = await newRecords(service)
  const ask = (method: string, params: object) =>
    call('POST', '/mcp', { jsonrpc: '2.0', id: 1, method, params })
  const { tools } = JSON.parse((await ask('tools/list', {})).text).result as { tools: readonly Tool[] }
  const base = { id: ids.page, project_id: ids.project, body: { project_id: ids.project } }
  const cases = tools.flatMap(({ name, inputSchema }) =>
    textualFields(inputSchema, resolverOf(inputSchema)).map((field) => ({
      name: `${name} ${field.join('.')}`,
      send: (text: string) => ask('tools/call', { name, arguments: withText(base, field, text) }),
    })),
  )
  expect(cases.length).toBeGreaterThan(100)
  expect(await findings(share(withFamilies(cases), ONE_OF), service)).toEqual([])
})

onLinux('no text in a form of the dashboard keeps others waiting', async () => {
  const service = await startProbedService()
  const { browser, ids } = await newRecords(service)
  const forms = await formsFrom(browser, `/dashboard/projects/${ids.project}`)
  const cases = forms.flatMap(({ action, fields }) =>
    Object.keys(fields).map((field) => ({
      name: `${action} ${field}`,
      async send(text: string) {
        const { status, html } = await browser.post(action, { ...fields, [field]: text })
        return { status, text: html }
      },
    })),
  )
  expect(cases.length).toBeGreaterThan(100)
  expect(await findings(share(withFamilies(cases), ONE_OF), service)).toEqual([])
})

test('no text in a field of a file takes longer than its length explains', async () => {
  const found: object[] = []
  for (const kind of EDITOR_SCHEMAS.filter((kind) => kind !== 'theme')) {
    const schema = JSON.parse(await editorSchema(kind)) as Schema
    // Sections are read as those that the API gets.
    const fields = textualFields(schema, resolverOf(schema)).filter(([first]) => first !== 'sections')
    expect(fields.length).toBeGreaterThan(5)
    const all = fields.flatMap((field) =>
      Object.entries(GROWING_TEXTS).map(([family, textOf]) => ({ field, family, textOf })),
    )
    for (const { field, family, textOf } of share(all, ONE_OF)) {
      const growth = growthOf(
        (length) =>
          stringify(withText({ name: 'Site', title: 'Page' }, field, textOf(length)), { lineWidth: 0 }),
        (text) => readSiteTexts(filesOf(kind, text)),
      )
      if (growth >= LINEAR_GROWTH) found.push({ kind, field: field.join('.'), family, growth })
    }
  }
  expect(found).toEqual([])
})

function filesOf(kind: string, yaml: string): ReadonlyMap<string, string> {
  return kind === 'site'
    ? new Map([
        ['site.yaml', yaml],
        ['index.md', '# Home\n'],
      ])
    : new Map([
        ['site.yaml', 'name: Site\n'],
        ['a.md', `---\n${yaml}---\nText\n`],
      ])
}

/** Each case with all families. */
function withFamilies(cases: readonly Case[]): readonly TriedCase[] {
  return cases.flatMap((field) => FAMILIES.map((family) => ({ ...field, family })))
}

/** Each case with one family, the next one with the next: fields of one kind are read by the same code. */
function withOneFamily(cases: readonly Case[]): readonly TriedCase[] {
  return cases.map((field, index) => ({ ...field, family: FAMILIES[index % FAMILIES.length] as Family }))
}

async function findings(cases: readonly TriedCase[], service: Probe): Promise<readonly object[]> {
  const found: object[] = []
  for (const { name, send, family } of cases) {
    const [ofTexts, textOf] = family
    const stallOf = (length: number) => leastStall(`${name} with ${ofTexts}`, send, textOf(length), service)
    const longest = await stallOf(4 * LENGTH)
    if (longest <= NOISE_MS) continue
    const [short, middle] = [await stallOf(LENGTH), await stallOf(2 * LENGTH)]
    if (longest > MAX_STALL_MS || longest > MAX_GROWTH * Math.max(short, NOISE_MS / 4))
      found.push({ name, ofTexts, short, middle, longest })
  }
  return found
}

/** In milliseconds. */
async function leastStall(
  what: string,
  send: Case['send'],
  text: string,
  { longestStall }: Probe,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS && least > NOISE_MS; attempt++) {
    await longestStall()
    const { status, text: answer } = await send(text)
    expect(status, `${what}: ${answer.slice(Math.max(0, answer.indexOf('<h1'))).slice(0, 600)}`).toBeLessThan(
      500,
    )
    least = Math.min(least, await longestStall())
  }
  return least
}

/** The path of an operation, of a record that is there where one of its kind is. */
function pathOf(template: string, ids: Readonly<Record<string, string>>): string {
  const [, records = ''] = /^\/(?:v1\/)?(\w+)\//.exec(template) ?? []
  const kind = records.replace(/(?<=sh)es$|s$/, '')
  return template.replace(
    /\{(\w+)\}/g,
    (_, name: string) => ids[name === 'id' ? kind : name.replace(/_id$/, '')] ?? 'none',
  )
}

/** The forms of the pages that links lead to from a page of the dashboard, each once, as a browser would send them. */
async function formsFrom(browser: DashboardClient, start: string) {
  const seen = new Set<string>([start])
  const forms = new Map<string, Readonly<Record<string, string>>>()
  for (const path of seen) {
    const { html } = await browser.get(path)
    for (const [, action = ''] of html.matchAll(/<form[^>]*method="post"[^>]*action="([^"]+)"/g)) {
      if (!ENDS_SESSION.test(action)) forms.set(action, shownFields(html, action))
    }
    for (const [, href = ''] of html.matchAll(/<a[^>]*\shref="(\/dashboard\/[^"#?]+)"/g))
      if (seen.size < MAX_VIEWS) seen.add(href)
  }
  return [...forms].map(([action, fields]) => ({ action, fields }))
}

const MAX_VIEWS = 60
/** Forms after which there is no session, or no project. */
const ENDS_SESSION = /sign-out|\/delete$|\/account\/|\/sessions/

interface Operation {
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }
}

interface Tool {
  readonly name: string
  readonly inputSchema: Schema
}

/** A record of each kind that a path names, and a browser that is signed in. */
async function newRecords({ url, data }: { readonly url: string; readonly data: string }) {
  const rights = ['--permissions', PERMISSIONS.join()]
  const created = [
    'keys',
    'create',
    '--data',
    data,
    '--name',
    'all',
    '--plan',
    'enterprise',
    ...rights,
    '--json',
  ]
  const { key } = JSON.parse((await startCommand(created).ended).out)
  const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) ?? null })
    return { status: answer.status, text: await answer.text() }
  }
  const create = async (path: string, body: object) => {
    const { status, text } = await call('POST', path, body)
    if (status !== 201) throw new Error(text)
    return JSON.parse(text).data.id as string
  }
  const project = await create('/projects', { name: 'Growing' })
  const asset = await fetch(`${url}/projects/${project}/assets?name=a.png`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'image/png' },
    body: new Uint8Array(await flatPng(8, 8)),
  })
  const ids = {
    project,
    page: await create('/pages', pageBody(project)),
    landing: await create('/pages', pageBody(project, { slug: 'landing', type: 'page' })),
    asset: ((await asset.json()) as { data: { id: string } }).data.id,
    webhook: await create(`/projects/${project}/webhooks`, {
      url: 'https://a.example/',
      events: ['page.published'],
    }),
    member: await create(`/projects/${project}/members`, { email: 'member@example.com', role: 'viewer' }),
    key: await create('/keys', { name: 'other', permissions: ['read'] }),
    push: await create(`/projects/${project}/pushes`, {
      folder: 'a-folder',
      name: 'a',
      revision: null,
      committed_at: null,
    }),
  }
  const linked = await startCommand(['users', 'set-up', 'owner@localhost', '--data', data, '--json']).ended
  const link = new URL(JSON.parse(linked.out).set_up_url).searchParams.get('token') ?? ''
  const entered = await visitor({ url }).post('/dashboard/set-up', {
    link,
    password: PASSWORD,
    again: PASSWORD,
  })
  const [cookie = ''] = (entered.headers.get('set-cookie') ?? '').split(';')
  if (entered.status !== 303) throw new Error(entered.html)
  return { call, ids, browser: visitor({ url }, cookie) }
}
