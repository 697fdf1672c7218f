import Koa from 'koa'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { PERMISSIONS, type Permission } from '../../src/domain/caller.ts'
import { readId } from '../../src/domain/ids.ts'
import { ROLES, type Role } from '../../src/domain/roles.ts'
import { currentOperations } from '../../src/http/current/operations.ts'
import { permissionOf } from '../../src/http/openapi/operation.ts'
import { shareOf } from '../support/long-form.ts'
import { acceptOffers } from '../support/offers.ts'
import { type Answer, pageBody, startService, type TestService } from '../support/service.ts'

/*
 * Every route × every kind of key × every kind of id. The expected response follows from one row per route and from the
 * rules in `expected`, which are in the order of the checks.
 */

const KEYS = [
  ...['owner', 'scoped', 'scoped elsewhere', 'read only', 'write only', 'publish only', 'stranger'],
  ...['co-owner', 'editor', 'author', 'viewer', 'member elsewhere'],
  ...['revoked', 'expired', 'malformed token', 'no bearer', 'none'],
] as const
type KeyKind = (typeof KEYS)[number]

const IDS = ['own', 'foreign', 'missing', 'of the wrong kind', 'of the wrong kind, bare'] as const
type IdKind = (typeof IDS)[number]

/** Names that responses to other users must not contain. */
const SECRETS = { own: 'Periwinkle', foreign: 'Tamarind' } as const

interface Row {
  /** The kind of record that the route is about. Null for none. */
  readonly about: 'project' | 'page' | 'job' | 'asset' | 'push' | 'key' | null
  /** The required permissions. `open` needs no key. */
  readonly needs: readonly Permission[] | 'open'
  /** The role with the fewest rights that may do it. */
  readonly by: Role
  /** The status for a permitted caller, with the error name when the state of the record refuses it. */
  readonly answer: string
  /** Forbidden for every key with a project scope. */
  readonly unscoped?: true
  /** Only for the account that the project belongs to. */
  readonly payer?: true
  readonly request: (id: string) => readonly [path: string, body?: object]
  /** Creates a record for a request that consumes it, in the project of that kind. */
  readonly spent?: (project: IdKind) => Promise<string>
}

const read = (about: Row['about'], path: (id: string) => string): Row => ({
  about,
  needs: ['read'],
  by: 'viewer',
  answer: '200',
  request: (id) => [path(id)],
})

/** What a webhook's URL gives away is for those who may change it. */
const readByEditor = (...row: Parameters<typeof read>): Row => ({ ...read(...row), by: 'editor' })

const change = (
  about: Row['about'],
  needs: readonly Permission[],
  request: Row['request'],
  rest: Partial<Row> = {},
): Row => ({
  about,
  needs,
  by: needs.includes('publish') ? 'editor' : needs.includes('write') ? 'author' : 'viewer',
  answer: '200',
  request,
  ...rest,
})

/** A change that takes another role than `change` derives from its permissions. */
const changeBy = (by: Role, ...[about, needs, request, rest]: Parameters<typeof change>): Row =>
  change(about, needs, request, { by, ...rest })

/** Inactive, so that the service sends no request. */
const SILENT_WEBHOOK = { url: 'https://192.5.6.30/', active: false }

/** Webhooks by project; requests about a foreign project use the webhook of an own project. */
const webhooks = new Map<string, string>()
const webhookPath = (project: string) =>
  `/projects/${project}/webhooks/${webhooks.get(project) ?? [...webhooks.values()][0]}`

/** Members by project, as `webhooks`. */
const members = new Map<string, string>()
const memberPath = (project: string) =>
  `/projects/${project}/members/${members.get(project) ?? [...members.values()][0]}`

const NO_OFFER = `off_${'a'.repeat(16)}`

let created = 0
let sent = 0
const unique = () => `unique-${++created}`

/** The same on both surfaces. */
function assetRows(prefix: string): Readonly<Record<string, Row>> {
  return {
    [`GET ${prefix}/projects/:id/assets`]: read('project', (id) => `${prefix}/projects/${id}/assets`),
    [`POST ${prefix}/projects/:id/assets`]: change(
      'project',
      ['write'],
      (id) => [`${prefix}/projects/${id}/assets?name=${unique()}`, Buffer.from('%PDF-1.7')],
      { answer: '201' },
    ),
    [`POST ${prefix}/projects/:id/assets/missing`]: change('project', ['read'], (id) => [
      `${prefix}/projects/${id}/assets/missing`,
      { digests: [] },
    ]),
    [`GET ${prefix}/assets/:id`]: read('asset', (id) => `${prefix}/assets/${id}`),
    [`PUT ${prefix}/assets/:id`]: change('asset', ['write'], (id) => [
      `${prefix}/assets/${id}`,
      { alt: unique() },
    ]),
    [`DELETE ${prefix}/assets/:id`]: change('asset', ['write'], (id) => [`${prefix}/assets/${id}`], {
      spent: newAsset,
    }),
    [`GET ${prefix}/assets/:id/content`]: read('asset', (id) => `${prefix}/assets/${id}/content`),
    [`PUT ${prefix}/assets/:id/content`]: change('asset', ['write'], (id) => [
      `${prefix}/assets/${id}/content`,
      Buffer.from(`%PDF-${unique()}`),
    ]),
    [`GET ${prefix}/assets/:id/usage`]: read('asset', (id) => `${prefix}/assets/${id}/usage`),
  }
}

/** By method and path of the router. A suffix after ` - ` distinguishes several requests of one route. */
const ROWS: Readonly<Record<string, Row>> = {
  'GET /healthz': { about: null, needs: 'open', by: 'viewer', answer: '200', request: () => ['/healthz'] },
  'GET /readyz': { about: null, needs: 'open', by: 'viewer', answer: '200', request: () => ['/readyz'] },
  ...Object.fromEntries(
    ['/metrics', '/openapi.json', '/schemas/sections.json', '/reference', '/reference/style.css'].map(
      (path) => [
        `GET ${path}`,
        { about: null, needs: 'open', by: 'viewer', answer: '200', request: () => [path] } satisfies Row,
      ],
    ),
  ),
  'GET /problems/:name': {
    about: null,
    needs: 'open',
    by: 'viewer',
    answer: '200',
    request: () => ['/problems/not_found'],
  },
  // Asked from loopback; `domain-proof.proof.ts` asks as others do.
  'GET /internal/tls-ask': {
    about: null,
    needs: 'open',
    by: 'viewer',
    answer: '404 not_found',
    request: () => ['/internal/tls-ask?domain=free.acme.com'],
  },
  // The service has a proxy here; `status-page.test.ts` asks without one.
  'GET /internal/status': {
    about: null,
    needs: 'open',
    by: 'viewer',
    answer: '404 not_found',
    request: () => ['/internal/status'],
  },
  // The tools call the routes below; `mcp.proof.ts` calls them for projects of others.
  'POST /mcp': {
    about: null,
    needs: [],
    by: 'viewer',
    answer: '200',
    request: () => ['/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }],
  },
  'ALL /mcp': { about: null, needs: [], by: 'viewer', answer: '405', request: () => ['/mcp'] },
  'ALL /^\\/public\\//': {
    about: 'project',
    needs: 'open',
    by: 'viewer',
    answer: '200',
    request: (id) => [`/public/${id}/_index.json`],
  },
  'GET /render/_assets/:file': {
    about: null,
    needs: 'open',
    by: 'viewer',
    answer: '404 not_found',
    request: () => ['/render/_assets/none.css'],
  },

  'GET /pages': read('project', (id) => `/pages?project_id=${id}`),
  'GET /pages - with content': read('project', (id) => `/pages?project_id=${id}&include_content=true`),
  'POST /pages': change('project', ['write'], (id) => ['/pages', pageBody(id, { slug: unique() })], {
    answer: '201',
  }),
  'GET /pages/:id': read('page', (id) => `/pages/${id}`),
  'PUT /pages/:id': change('page', ['write'], (id) => [`/pages/${id}`, { description: unique() }]),
  'PUT /pages/:id - no field': change('page', ['write'], (id) => [`/pages/${id}`, {}]),
  'PUT /pages/:id - status': change('page', ['publish'], (id) => [`/pages/${id}`, { status: 'published' }]),
  'PUT /pages/:id - status and fields': change('page', ['write', 'publish'], (id) => [
    `/pages/${id}`,
    { status: 'published', description: unique() },
  ]),
  'DELETE /pages/:id': change('page', ['write'], (id) => [`/pages/${id}`], { spent: newDraft }),
  'DELETE /pages/:id - live': change('page', ['write', 'publish'], (id) => [`/pages/${id}`], {
    spent: newLivePage,
  }),
  'POST /pages/:id/publish': change('page', ['publish'], (id) => [`/pages/${id}/publish`]),
  'POST /pages/:id/publish - schedule': change('page', ['publish'], (id) => [
    `/pages/${id}/publish`,
    { publish_at: null },
  ]),
  'GET /pages/:id/releases': read('page', (id) => `/pages/${id}/releases`),
  'POST /pages/:id/rollback': change(
    'page',
    ['publish'],
    (id) => [`/pages/${id}/rollback`, { release_id: `rel_${'a'.repeat(16)}` }],
    { answer: '422 validation_error' },
  ),
  'POST /pages/:id/unpublish': change('page', ['publish'], (id) => [`/pages/${id}/unpublish`], {
    spent: newLivePage,
  }),
  'POST /pages/publish': change('page', ['publish'], (id) => ['/pages/publish', { pageId: id }]),
  'POST /pages/unpublish': change('page', ['publish'], (id) => ['/pages/unpublish', { page_id: id }], {
    spent: newLivePage,
  }),
  'POST /pages/:id/preview': changeBy('editor', 'page', ['write'], (id) => [`/pages/${id}/preview`, {}], {
    answer: '201',
  }),
  'GET /render/:id': read('page', (id) => `/render/${id}`),

  'GET /projects': read(null, () => '/projects'),
  'POST /projects': change(null, ['write'], () => ['/projects', { name: unique() }], {
    answer: '201',
    unscoped: true,
  }),
  'GET /projects/:id': read('project', (id) => `/projects/${id}`),
  'PUT /projects/:id': changeBy('editor', 'project', ['write'], (id) => [
    `/projects/${id}`,
    { settings: {} },
  ]),
  'DELETE /projects/:id': changeBy('owner', 'project', ['write'], (id) => [`/projects/${id}`], {
    answer: '400 conflict',
  }),
  'GET /projects/:id/settings': read('project', (id) => `/projects/${id}/settings`),
  'PUT /projects/:id/settings': changeBy('editor', 'project', ['write'], (id) => [
    `/projects/${id}/settings`,
    { footer_text: unique() },
  ]),
  'POST /projects/:id/domain/verify': changeBy(
    'editor',
    'project',
    ['write'],
    (id) => [`/projects/${id}/domain/verify`],
    {
      answer: '400 conflict',
    },
  ),
  'POST /projects/:id/data-mode/enable': changeBy(
    'owner',
    'project',
    ['publish'],
    // An invalid body, because enabling Data Mode would change the result of all other requests.
    (id) => [`/projects/${id}/data-mode/enable`, { now: true }],
    { answer: '422 validation_error' },
  ),
  ...Object.fromEntries(
    ['disable', 'regenerate-key'].map((action) => [
      `POST /projects/:id/data-mode/${action}`,
      changeBy('owner', 'project', ['publish'], (id) => [`/projects/${id}/data-mode/${action}`], {
        answer: '409 not_enabled',
      }),
    ]),
  ),
  'GET /projects/:id/data-mode': read('project', (id) => `/projects/${id}/data-mode`),
  'POST /projects/:id/data-mode': changeBy(
    'owner',
    'project',
    ['publish'],
    (id) => [`/projects/${id}/data-mode`, { action: 'disable' }],
    { answer: '409 not_enabled' },
  ),
  'POST /projects/:id/pages/bulk': change('project', ['write'], (id) => [
    `/projects/${id}/pages/bulk`,
    { items: [{ op: 'create', page: { ...pageBody(id, { slug: unique() }), project_id: undefined } }] },
  ]),
  'POST /projects/:id/publish': change(
    'project',
    ['publish'],
    (id) => [`/projects/${id}/publish`, { pages: 'stale' }],
    { answer: '202' },
  ),
  'GET /projects/:id/jobs': read('project', (id) => `/projects/${id}/jobs`),
  'GET /projects/:id/schedule': read('project', (id) => `/projects/${id}/schedule`),
  'GET /projects/:id/webhooks': readByEditor('project', (id) => `/projects/${id}/webhooks`),
  'POST /projects/:id/webhooks': changeBy(
    'editor',
    'project',
    ['write'],
    (id) => [`/projects/${id}/webhooks`, SILENT_WEBHOOK],
    { answer: '201' },
  ),
  'GET /projects/:id/webhooks/:webhook_id': readByEditor('project', webhookPath),
  'PUT /projects/:id/webhooks/:webhook_id': changeBy('editor', 'project', ['write'], (id) => [
    webhookPath(id),
    { description: unique() },
  ]),
  'DELETE /projects/:id/webhooks/:webhook_id': changeBy(
    'editor',
    'project',
    ['write'],
    (id) => [id.includes('/') ? id : webhookPath(id)],
    { spent: async (kind) => `/projects/${ids.project[kind]}/webhooks/${await newWebhook(kind)}` },
  ),
  'POST /projects/:id/webhooks/:webhook_id/rotate-secret': changeBy('editor', 'project', ['write'], (id) => [
    `${webhookPath(id)}/rotate-secret`,
  ]),
  'POST /projects/:id/webhooks/:webhook_id/test': changeBy(
    'editor',
    'project',
    ['write'],
    (id) => [`${webhookPath(id)}/test`],
    { answer: '400 conflict' },
  ),
  'GET /projects/:id/webhooks/:webhook_id/deliveries': readByEditor(
    'project',
    (id) => `${webhookPath(id)}/deliveries`,
  ),
  'GET /projects/:id/webhooks/:webhook_id/deliveries/:delivery_id': {
    ...readByEditor('project', (id) => `${webhookPath(id)}/deliveries/dlv_${'a'.repeat(16)}`),
    answer: '404 not_found',
  },
  'POST /projects/:id/webhooks/:webhook_id/deliveries/:delivery_id/redeliver': changeBy(
    'editor',
    'project',
    ['write'],
    (id) => [`${webhookPath(id)}/deliveries/dlv_${'a'.repeat(16)}/redeliver`],
    { answer: '404 not_found' },
  ),
  'GET /projects/:id/redirects': read('project', (id) => `/projects/${id}/redirects`),
  // No redirect, because it would change the page of the other requests.
  'POST /projects/:id/redirects': change(
    'project',
    ['write'],
    (id) => [`/projects/${id}/redirects`, { from: 'none', page_id: 'page_none' }],
    { answer: '422 validation_error' },
  ),
  'DELETE /projects/:id/redirects': change(
    'project',
    ['write'],
    (id) => [`/projects/${id}/redirects?from=/none`],
    {
      answer: '404 not_found',
    },
  ),
  // None of its redirects can be made.
  'POST /projects/:id/redirects/bulk': change('project', ['publish'], (id) => [
    `/projects/${id}/redirects/bulk`,
    { items: [{ from: 'none', to: '/none' }] },
  ]),
  'PUT /projects/:id/redirects/:redirect_id': change(
    'project',
    ['publish'],
    (id) => [`/projects/${id}/redirects/rdr_none`, { to: '/none' }],
    { answer: '404 not_found' },
  ),
  'DELETE /projects/:id/redirects/:redirect_id': change(
    'project',
    ['publish'],
    (id) => [`/projects/${id}/redirects/rdr_none`],
    { answer: '404 not_found' },
  ),
  'GET /projects/:id/changes': read('project', (id) => `/projects/${id}/changes`),
  'GET /projects/:id/visits': read('project', (id) => `/projects/${id}/visits`),
  'GET /projects/:id/sources/:folder': read('project', (id) => `/projects/${id}/sources/a-folder`),
  'GET /projects/:id/pushes': read('project', (id) => `/projects/${id}/pushes`),
  'POST /projects/:id/pushes': change(
    'project',
    ['write'],
    (id) => [`/projects/${id}/pushes`, { folder: unique(), name: 'A site' }],
    { answer: '201' },
  ),
  'PUT /pushes/:id': change('push', ['write'], (id) => [`/pushes/${id}`, { state: 'running' }]),
  'GET /projects/:id/members': read('project', (id) => `/projects/${id}/members`),
  'POST /projects/:id/members': changeBy(
    'owner',
    'project',
    ['manage'],
    (id) => [`/projects/${id}/members`, { email: `${unique()}@example.net`, role: 'viewer' }],
    { answer: '201' },
  ),
  'GET /projects/:id/members/:member_id': read('project', memberPath),
  'POST /projects/:id/members/:member_id/invitation': changeBy(
    'owner',
    'project',
    ['manage'],
    (id) => [`${memberPath(id)}/invitation`],
    { answer: '201' },
  ),
  // Before any project is offered.
  'DELETE /projects/:id/transfer': changeBy(
    'owner',
    'project',
    ['manage'],
    (id) => [`/projects/${id}/transfer`],
    { answer: '404 not_found', payer: true },
  ),
  'POST /projects/:id/transfer': changeBy(
    'owner',
    'project',
    ['manage'],
    (id) => [`/projects/${id}/transfer`, { email: `${unique()}@example.net` }],
    { answer: '202', payer: true },
  ),
  'GET /users/me/offers': { ...read(null, () => '/users/me/offers'), unscoped: true },
  'POST /users/me/offers/:id/accept': change(
    null,
    ['manage'],
    () => [`/users/me/offers/${NO_OFFER}/accept`],
    {
      answer: '404 not_found',
      unscoped: true,
    },
  ),
  'POST /users/me/offers/:id/decline': change(
    null,
    ['manage'],
    () => [`/users/me/offers/${NO_OFFER}/decline`],
    { answer: '404 not_found', unscoped: true },
  ),
  'PUT /projects/:id/members/:member_id': changeBy('owner', 'project', ['manage'], (id) => [
    memberPath(id),
    { role: ROLES[++created % ROLES.length] },
  ]),
  'DELETE /projects/:id/members/:member_id': changeBy(
    'owner',
    'project',
    ['manage'],
    (id) => [id.includes('/') ? id : memberPath(id)],
    { spent: async (kind) => `/projects/${ids.project[kind]}/members/${await newMember(kind)}` },
  ),
  'GET /jobs/:id': read('job', (id) => `/jobs/${id}`),
  'DELETE /jobs/:id': change('job', ['publish'], (id) => [`/jobs/${id}`], { spent: newSchedule }),
  ...assetRows(''),
  ...assetRows('/v1'),
  'GET /users/me': { about: null, needs: [], by: 'viewer', answer: '200', request: () => ['/users/me'] },
  'GET /users/me/usage': read(null, () => '/users/me/usage'),
  'GET /users/me/audit': change(null, ['manage'], () => ['/users/me/audit']),
  'GET /projects/:id/audit': changeBy('owner', 'project', ['manage'], (id) => [`/projects/${id}/audit`]),
  'GET /keys': change(null, ['manage'], () => ['/keys']),
  'POST /keys': change(null, ['manage'], () => ['/keys', { name: unique() }], { answer: '201' }),
  'GET /keys/:id': change('key', ['manage'], (id) => [`/keys/${id}`]),
  'PUT /keys/:id': change('key', ['manage'], (id) => [`/keys/${id}`, {}]),
  'DELETE /keys/:id': change('key', ['manage'], (id) => [`/keys/${id}`], { spent: newManagedKey }),
  'POST /keys/:id/rotate': change('key', ['manage'], (id) => [`/keys/${id}/rotate`]),

  'GET /v1/projects': read(null, () => '/v1/projects'),
  'POST /v1/projects': change(null, ['write'], () => ['/v1/projects', { name: unique() }], {
    answer: '201',
    unscoped: true,
  }),
  'GET /v1/projects/:id': read('project', (id) => `/v1/projects/${id}`),
  'PUT /v1/projects/:id': changeBy('editor', 'project', ['write'], (id) => [
    `/v1/projects/${id}`,
    { context: unique() },
  ]),
  'GET /v1/projects/:id/settings': read('project', (id) => `/v1/projects/${id}/settings`),
  'PUT /v1/projects/:id/settings': changeBy('editor', 'project', ['write'], (id) => [
    `/v1/projects/${id}/settings`,
    { docs_nav: [] },
  ]),
  'GET /v1/projects/:id/data-mode': read('project', (id) => `/v1/projects/${id}/data-mode`),
  'POST /v1/projects/:id/data-mode': changeBy(
    'owner',
    'project',
    ['publish'],
    (id) => [`/v1/projects/${id}/data-mode`, { action: 'regenerate-key' }],
    { answer: '409 not_enabled' },
  ),
  'GET /v1/pages': read('project', (id) => `/v1/pages?project_id=${id}`),
  'POST /v1/pages': change(
    'project',
    ['write'],
    (id) => ['/v1/pages', { project_id: id, page_name: 'A page', slug: unique() }],
    { answer: '201' },
  ),
  'GET /v1/pages/:id': read('page', (id) => `/v1/pages/${id}`),
  'PUT /v1/pages/:id': change('page', ['write'], (id) => [`/v1/pages/${id}`, { page_name: unique() }]),
  'POST /v1/pages/publish': change('page', ['publish'], (id) => ['/v1/pages/publish', { page_id: id }]),
  'POST /v1/pages/unpublish': change('page', ['publish'], (id) => ['/v1/pages/unpublish', { pageId: id }], {
    spent: newLivePage,
  }),
  'GET /v1/users/me': {
    about: null,
    needs: [],
    by: 'viewer',
    answer: '200',
    request: () => ['/v1/users/me'],
  },
}

/** Permissions of each kind of key. */
const LIMITED: Readonly<Partial<Record<KeyKind, readonly Permission[]>>> = {
  'read only': ['read'],
  'write only': ['write'],
  'publish only': ['publish'],
}

/** Roles in the own project of each kind of key that is not of its account. */
const ROLE_OF: Readonly<Partial<Record<KeyKind, Role>>> = {
  'co-owner': 'owner',
  editor: 'editor',
  author: 'author',
  viewer: 'viewer',
}
const STRANGERS: readonly KeyKind[] = ['stranger', 'member elsewhere']

/** The rules of access, in the order of the checks. */
function expected(row: Row, key: KeyKind, id: IdKind): string {
  const exists = row.about === null || id === 'own' || id === 'foreign'
  if (row.needs === 'open') return exists ? row.answer : '404'

  if (key === 'none') return '401 missing_api_key'
  if (key === 'no bearer') return '401 unauthorized'
  if (key === 'revoked' || key === 'expired' || key === 'malformed token') return '403 invalid_api_key'

  const role = ROLE_OF[key]
  // Keys are of an account, not of a project.
  const isElses = STRANGERS.includes(key) || (row.about === 'key' && role !== undefined)
  const isOwners = row.about === null || (id === 'own' && !isElses)
  const isStrangers = id === 'foreign' && key === 'stranger'
  const isScoped = key === 'scoped' || key === 'scoped elsewhere'
  const inScope = row.about === null || (key === 'scoped' && id === 'own') || !isScoped
  // The scope of a project id is checked before its existence. The project of a page is known only after loading it.
  if (row.about === 'project' && !inScope) return '403 project_scope_violation'
  if (!isOwners && !isStrangers) return '404 not_found'
  if (!inScope) return '403 project_scope_violation'

  const permissions = LIMITED[key] ?? PERMISSIONS
  if (row.needs.some((need) => !permissions.includes(need))) return '403 forbidden'
  if (role !== undefined && row.about !== null && ROLES.indexOf(role) > ROLES.indexOf(row.by))
    return '403 forbidden'
  if (row.unscoped && isScoped) return '403 forbidden'
  if (row.payer && role !== undefined) return '403 forbidden'
  return row.answer
}

let service: TestService
let routes: readonly string[]
let keys: Readonly<Record<KeyKind, string | null>>
let ids: Readonly<Record<'project' | 'page' | 'job' | 'asset' | 'push' | 'key', Record<IdKind, string>>>

beforeAll(async () => {
  const compose = vi.spyOn(Koa.prototype, 'callback')
  service = await startService({ env: { QUOIN_TRUST_PROXY: '127.0.0.1' } })
  routes = routesOf(compose.mock.contexts.at(-1) as Koa)
  compose.mockRestore()

  const stranger = await service.newUser()
  const strangers = await service.newKey({ user: stranger, permissions: PERMISSIONS })
  const project = await newProject(SECRETS.own, service.key)
  const sibling = await newProject('Sibling', service.key)
  const foreign = await newProject(SECRETS.foreign, strangers)
  const page = await published(await newPage(project, SECRETS.own))
  const foreignPage = await published(await newPage(foreign, SECRETS.foreign, strangers), strangers)

  keys = {
    owner: await service.newKey({ permissions: PERMISSIONS }),
    scoped: await service.newKey({ project: internal(project), permissions: PERMISSIONS }),
    'scoped elsewhere': await service.newKey({ project: internal(sibling), permissions: PERMISSIONS }),
    'read only': await service.newKey({ permissions: ['read'] }),
    'write only': await service.newKey({ permissions: ['write'] }),
    'publish only': await service.newKey({ permissions: ['publish'] }),
    stranger: strangers,
    'co-owner': await memberKey(project, 'owner'),
    editor: await memberKey(project, 'editor'),
    author: await memberKey(project, 'author'),
    viewer: await memberKey(project, 'viewer'),
    'member elsewhere': await memberKey(sibling, 'owner'),
    revoked: await revokedKey(),
    expired: await service.newKey({ expires: '2020-01-01T00:00:00.000Z' }),
    'malformed token': `qn_live_${'a'.repeat(38)}`,
    'no bearer': null,
    none: null,
  }
  ids = {
    project: {
      own: project,
      foreign,
      missing: `proj_${'a'.repeat(16)}`,
      'of the wrong kind': page,
      'of the wrong kind, bare': page.replace('page_', ''),
    },
    page: {
      own: page,
      foreign: foreignPage,
      missing: `page_${'a'.repeat(16)}`,
      'of the wrong kind': project,
      'of the wrong kind, bare': project.replace('proj_', ''),
    },
    job: {
      own: await newJob(project, service.key),
      foreign: await newJob(foreign, strangers),
      missing: `job_${'a'.repeat(16)}`,
      'of the wrong kind': page,
      'of the wrong kind, bare': page.replace('page_', ''),
    },
    asset: {
      own: await newAssetOf(project, service.key),
      foreign: await newAssetOf(foreign, strangers),
      missing: `ast_${'a'.repeat(16)}`,
      'of the wrong kind': page,
      'of the wrong kind, bare': page.replace('page_', ''),
    },
    push: {
      own: await newPushOf(project, service.key),
      foreign: await newPushOf(foreign, strangers),
      missing: `psh_${'a'.repeat(16)}`,
      'of the wrong kind': page,
      'of the wrong kind, bare': page.replace('page_', ''),
    },
    key: {
      own: await newKeyOf(project, keys.owner),
      foreign: await newKeyOf(foreign, keys.stranger),
      missing: `key_${'a'.repeat(16)}`,
      'of the wrong kind': page,
      'of the wrong kind, bare': page.replace('page_', ''),
    },
  }
  for (const kind of ['own', 'foreign'] as const) {
    webhooks.set(ids.project[kind], await newWebhook(kind))
    members.set(ids.project[kind], await newMember(kind))
  }
})
afterAll(() => service.close())

const internal = (id: string) => readId('proj', id) ?? expect.unreachable()

async function newProject(name: string, key: string): Promise<string> {
  return (await service.call('POST', '/projects', { name }, { key })).body.data.id
}

async function newPage(of: string, title = 'A page', key = service.key): Promise<string> {
  const { body } = await service.call('POST', '/pages', pageBody(of, { title, slug: unique() }), { key })
  return body.data.id
}

async function newJob(of: string, key: string): Promise<string> {
  const { body } = await service.call('POST', `/projects/${of}/publish`, { pages: 'all' }, { key })
  return body.data.id
}

function newAsset(kind: IdKind): Promise<string> {
  const key = (kind === 'own' ? keys.owner : keys.stranger) ?? expect.unreachable()
  return newAssetOf(ids.project[kind], key)
}

async function newAssetOf(project: string, key: string): Promise<string> {
  const path = `/projects/${project}/assets?name=${unique()}`
  return (await service.call('POST', path, Buffer.from(unique()), { key })).body.data.id
}

async function newPushOf(project: string, key: string): Promise<string> {
  const body = { folder: unique(), name: 'A site' }
  return (await service.call('POST', `/projects/${project}/pushes`, body, { key })).body.data.id
}

function newManagedKey(kind: IdKind): Promise<string> {
  return newKeyOf(ids.project[kind], kind === 'own' ? keys.owner : keys.stranger)
}

async function newKeyOf(project: string, key: string | null): Promise<string> {
  const name = key === keys.owner ? SECRETS.own : SECRETS.foreign
  return (await service.call('POST', '/keys', { name, project_scope: project }, { key })).body.data.id
}

async function newWebhook(kind: IdKind): Promise<string> {
  const key = (kind === 'own' ? keys.owner : keys.stranger) ?? expect.unreachable()
  const path = `/projects/${ids.project[kind]}/webhooks`
  return (await service.call('POST', path, SILENT_WEBHOOK, { key })).body.data.id
}

async function newMember(kind: IdKind): Promise<string> {
  const key = (kind === 'own' ? keys.owner : keys.stranger) ?? expect.unreachable()
  const body = { email: `${unique()}@example.net`, role: 'viewer' }
  return (await service.call('POST', `/projects/${ids.project[kind]}/members`, body, { key })).body.data.id
}

async function memberKey(project: string, role: Role): Promise<string> {
  const email = `${unique()}@example.net`
  const { id } = await service.server.service.accounts.createUser(email, true)
  const manager = await service.newKey({ permissions: PERMISSIONS })
  const invited = await service.call(
    'POST',
    `/projects/${project}/members`,
    { email, role },
    { key: manager },
  )
  expect(invited.status).toBe(201)
  await acceptOffers(service, id)
  return service.newKey({ user: id, permissions: PERMISSIONS })
}

function newDraft(kind: IdKind): Promise<string> {
  const key = kind === 'own' ? keys.owner : keys.stranger
  return newPage(ids.project[kind], 'A page', key ?? expect.unreachable())
}

async function newSchedule(kind: IdKind): Promise<string> {
  const key = (kind === 'own' ? keys.owner : keys.stranger) ?? expect.unreachable()
  const body = { publish_at: new Date(Date.now() + 3_600_000).toISOString() }
  return (await service.call('POST', `/pages/${await newDraft(kind)}/publish`, body, { key })).body.data.id
}

async function newLivePage(kind: IdKind): Promise<string> {
  const key = kind === 'own' ? keys.owner : keys.stranger
  return published(await newDraft(kind), key ?? expect.unreachable())
}

async function published(page: string, key = service.key): Promise<string> {
  expect((await service.call('POST', `/pages/${page}/publish`, undefined, { key })).status).toBe(200)
  return page
}

async function revokedKey(): Promise<string> {
  const key = await service.newKey()
  // By its id: keys that were created in the same millisecond are in no order.
  const { api_key_id } = (await service.call('GET', '/users/me', undefined, { key })).body.data
  await service.server.service.accounts.revokeKey(readId('key', api_key_id) ?? expect.unreachable())
  return key
}

/** The routes of an app, as `GET /pages/:id`. HEAD counts as GET. */
function routesOf(app: Koa): readonly string[] {
  const routers = app.middleware.flatMap((middleware) => ('router' in middleware ? [middleware.router] : []))
  const layers = routers.flatMap(
    (router) => (router as { stack: readonly { methods: readonly string[]; path: unknown }[] }).stack,
  )
  const named = layers.flatMap(({ methods, path }) => {
    const wanted = methods.length > 10 ? ['ALL'] : methods.filter((method) => method !== 'HEAD')
    return wanted.map((method) => `${method} ${path}`)
  })
  return [...new Set(named)].sort()
}

const routeOf = (name: string) => name.split(' - ')[0] ?? name

test('every route has a row, and every row has a route', () => {
  expect([...new Set(Object.keys(ROWS).map(routeOf))].sort()).toEqual(routes)
})

test('every operation names a permission that its requests need', () => {
  const wrong = currentOperations(['default']).filter((operation) => {
    const permission = permissionOf(operation)
    const route = `${operation.method.toUpperCase()} ${operation.path.replace(/\{(\w+)\}/g, ':$1')}`
    const rows = Object.entries(ROWS).filter(([name]) => routeOf(name) === route)
    expect(rows, route).not.toEqual([])
    return !rows.some(
      ([, { needs }]) =>
        needs === 'open' || (permission === null ? needs.length === 0 : needs.includes(permission)),
    )
  })
  expect(wrong.map(({ id }) => id)).toEqual([])
})

describe.each(Object.entries(ROWS).map(([name, row], turn) => [name, row, turn] as const))(
  '%s',
  (name, row, turn) => {
    const method = name.startsWith('ALL') ? 'GET' : (name.split(' ')[0] ?? '')
    const cells = KEYS.flatMap((key, index) => kindsFor(index).map((id) => ({ key, id })))
    /** In the short form the own id and one of the others, depending on the row. */
    function kindsFor(index: number): readonly IdKind[] {
      const [own, ...others] = IDS
      return row.about === null ? [own] : [own, ...shareOf(others, others.length, turn + index)]
    }

    test('responds by the rules, and exposes no data of other users', async () => {
      const wanted = cells.map(({ key, id }) => `${key}, ${id}: ${expected(row, key, id)}`)
      const actual = await Promise.all(
        cells.map(async ({ key, id }) => {
          const { status, body } = await ask(method, key, id)
          if (row.needs !== 'open') expectNoForeignData(key, status, JSON.stringify(body))
          // At `/mcp` an error is a message, with that of the API as its data.
          const { name } = body.error?.data ?? body
          return `${key}, ${id}: ${[status, name].filter(Boolean).join(' ')}`
        }),
      )
      expect(actual).toEqual(wanted)
    })

    if (method === 'GET')
      test('responds to HEAD with the status of GET and no body', async () => {
        const checked = shareOf(cells, 8, turn)
        const wanted = checked.map(({ key, id }) => `${key}, ${id}: ${expected(row, key, id).slice(0, 3)} `)
        const actual = await Promise.all(
          checked.map(async ({ key, id }) => {
            const { status, body } = await ask('HEAD', key, id)
            return `${key}, ${id}: ${status} ${body}`
          }),
        )
        expect(actual).toEqual(wanted)
      })

    const refused = KEYS.filter(
      (key) =>
        (ROLE_OF[key] !== undefined || STRANGERS.includes(key)) && expected(row, key, 'own') !== row.answer,
    )
    if (method !== 'GET' && row.about !== null && row.about !== 'key' && refused.length > 0)
      test('changes nothing for those it is refused to', async () => {
        const before = await everythingShown()
        for (const key of refused) expect((await ask(method, key, 'own')).status).toBeGreaterThanOrEqual(400)
        expect(await everythingShown()).toEqual(before)
      })

    async function ask(verb: string, key: KeyKind, kind: IdKind): Promise<Answer> {
      const usesUp = row.spent !== undefined && expected(row, key, kind) === row.answer
      const [path, body] = row.request(usesUp ? await row.spent(kind) : idOf(kind))
      const headers = {
        // Requests without a known key are rate limited by address, so each cell has its own.
        'X-Forwarded-For': `10.0.${(++sent >> 8) % 256}.${sent % 256}`,
        ...(key === 'no bearer' && { Authorization: 'Basic cXVvaW4=' }),
      }
      return service.call(verb, path, body, { key: keys[key], headers })
    }

    function idOf(kind: IdKind): string {
      return row.about === null ? '' : ids[row.about][kind]
    }

    function expectNoForeignData(key: KeyKind, status: number, text: string): void {
      if (key !== 'stranger') expect(text).not.toContain(SECRETS.foreign)
      if (STRANGERS.includes(key) || key === 'scoped elsewhere' || status >= 400)
        expect(text).not.toContain(SECRETS.own)
    }
  },
)

/** What the owner sees of the own project once its jobs have ended. */
async function everythingShown(): Promise<readonly unknown[]> {
  const [project, page] = [ids.project.own, ids.page.own]
  const shown = async (path: string) => (await service.call('GET', path, undefined, { key: keys.owner })).body
  const isDone = (job: { finished_at: string | null; scheduled_at: string | null }) =>
    job.finished_at !== null || job.scheduled_at !== null
  await vi.waitFor(
    async () => expect((await shown(`/projects/${project}/jobs?limit=100`)).data.every(isDone)).toBe(true),
    { timeout: 30_000, interval: 50 },
  )
  const paths = ['', '/settings', '/assets', '/webhooks', '/members', '/jobs', '/schedule', '/data-mode']
  return Promise.all([
    ...paths.map((path) => shown(`/projects/${project}${path}`)),
    shown(`/pages?project_id=${project}&include_content=true&limit=100`),
    shown(`/pages/${page}/releases`),
    shown(`/assets/${ids.asset.own}`),
  ])
}

test('a user who may not create projects has all rights on existing projects', async () => {
  const key = await service.newKey({ user: await service.newUser({ canCreateProjects: false }) })
  for (const path of ['/projects', '/v1/projects']) {
    const refused = await service.call('POST', path, { name: 'Another' }, { key })
    expect([refused.status, refused.body.name]).toEqual([403, 'forbidden'])
    expect((await service.call('GET', path, undefined, { key })).status).toBe(200)
  }
})
