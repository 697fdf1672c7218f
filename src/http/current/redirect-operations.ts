import { z } from 'zod'
import type { Caller } from '../../domain/caller.ts'
import { prefixed } from '../../domain/ids.ts'
import { MAX_SITE_REDIRECTS } from '../../domain/site-redirect.ts'
import { REDIRECT_KINDS, type Redirect, type RedirectService } from '../../services/pages/redirects.ts'
import type { ProjectRedirectService, PutRedirect } from '../../services/publishing/project-redirects.ts'
import { idParam, idRef, moment, prefixedId } from '../answer-fields.ts'
import {
  CreateRedirect,
  DeleteRedirect,
  ListRedirects,
  type NewRedirect,
  PutRedirects,
  REDIRECT_READ_ONLY,
  readCreateRedirect,
  readPutRedirects,
  readUpdateRedirect,
  UpdateRedirect,
} from '../bodies/redirect-schemas.ts'
import { type Endpoint, endpointsWith, record } from '../endpoint.ts'
import { sliceOf, walked } from '../list-walk.ts'
import { STATUS } from '../middleware/errors.ts'
import { requestBody } from '../openapi/body.ts'
import { json } from '../openapi/operation.ts'
import { enveloped, listMeta as metaFields } from './envelopes.ts'

export interface RedirectOperationPorts {
  readonly redirects: RedirectService
  readonly projectRedirects: ProjectRedirectService
}

const endpoint = endpointsWith<RedirectOperationPorts>()

const project = idParam('proj')
const redirect = z.object({ ...project.shape, redirect_id: idRef('rdr') })

const item = z
  .strictObject({
    id: prefixedId('rdr')
      .nullable()
      .meta({ description: 'The id of the redirect. It is null for `stated`.' }),
    from: z.string().meta({ examples: ['/old/page'] }),
    to: z.string().meta({
      description:
        'A path of the site or a URL. For a page, the path of the page; the id of a page that was deleted.',
      examples: ['/docs/page'],
    }),
    kind: z.enum(REDIRECT_KINDS).meta({
      description:
        '`project`: of the project. `stated`: a page names it in `redirect_from` of its `config` or front matter. `former`: a path that a page had before it moved.',
    }),
    target: z.enum(['page', 'list', 'file', 'feed', 'url']).meta({ description: 'The kind of its target.' }),
    page_id: prefixedId('page')
      .nullable()
      .meta({ description: 'The page that it leads to. It is null for other targets.' }),
    fragment: z.string().nullable().meta({ description: 'The heading that it leads to, without `#`.' }),
    live: z.boolean().meta({ description: 'Whether the site serves it now.' }),
    dead: z.boolean().meta({
      description: 'True if it belongs to the project and the site lacks its target.',
    }),
    created_at: moment.nullable().meta({
      description:
        'Creation time of the redirect. For `former`, the time of the move. It is null for `stated`.',
    }),
  })
  .meta({ id: 'Redirect' })

const putItem = z.strictObject({
  index: z.int(),
  statusCode: z.int().meta({ description: '201, 200, or that of the error.', examples: [201] }),
  id: prefixedId('rdr').nullable(),
  error: z.strictObject({ name: z.string(), message: z.string() }).nullable(),
})

const PutResult = z
  .strictObject({
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    failed: z.int(),
    items: z.array(putItem),
  })
  .meta({ id: 'PutRedirectsResult' })

export const REDIRECT_OPERATIONS: readonly Endpoint<RedirectOperationPorts>[] = [
  endpoint({
    id: 'listRedirects',
    method: 'get',
    path: '/projects/{id}/redirects',
    tag: 'Pages',
    summary: 'List the redirects of a project',
    client: 'redirects.list',
    description:
      'Redirects of the project, paths that pages name, and those that pages had before they moved, by path. Of the first 1,000 pages that name any.',
    params: project,
    query: ListRedirects,
    answers: [
      json(200, 'The redirects.', z.strictObject({ data: z.array(item), meta: z.strictObject(metaFields) })),
    ],
    async run({ caller, query, param, walk }, { redirects }) {
      const { kind = null, dead = null, q: text = null } = query
      const slice = sliceOf(walk, query)
      const found = await redirects.list(caller, param('id'), { kind, dead, text }, slice)
      return walked(walk, slice, found, presentRedirect)
    },
  }),
  endpoint({
    id: 'createRedirect',
    method: 'post',
    path: '/projects/{id}/redirects',
    tag: 'Pages',
    summary: 'Create a redirect',
    client: 'redirects.create',
    description: [
      `With \`to\`, it belongs to the project and is live at once, which needs the permission \`publish\`; a project has at most ${MAX_SITE_REDIRECTS}.`,
      'A path that a page is live at, or that redirects elsewhere, is a conflict. A target that is redirected itself is stored as its end. A target that the site does not have makes the redirect `dead`, until it has it.',
      'With `page_id`, the path is added to `redirect_from` of the page. The site serves it when the page is published next, and it moves with the page.',
    ].join(' '),
    params: project,
    body: {
      schema: requestBody(CreateRedirect, { id: 'CreateRedirect', ignored: REDIRECT_READ_ONLY }),
      required: true,
      example: { from: '/old/page', to: '/docs/page' },
    },
    answers: [
      json(201, 'The redirect.', enveloped(item)),
      json(200, 'The project has this redirect already.', enveloped(item)),
    ],
    errors: ['conflict'],
    async run({ caller, body, param }, { redirects, projectRedirects }) {
      const project = param('id')
      // Which of the two it is decides about the permission, and a body with errors may be neither.
      if (body['to'] === undefined && body['page_id'] !== undefined) {
        const created = await redirects.create(caller, project, () => assertOfPage(readCreateRedirect(body)))
        return record(presentRedirect(created), { status: 201 })
      }
      const made = await projectRedirects.create(caller, project, () =>
        assertOfProject(readCreateRedirect(body)),
      )
      if (made.outcome === 'failed') throw made.error
      const created = await redirects.get(readerOf(caller), project, made.id)
      return record(presentRedirect(created), { status: made.outcome === 'created' ? 201 : 200 })
    },
  }),
  endpoint({
    id: 'putRedirects',
    method: 'post',
    path: '/projects/{id}/redirects/bulk',
    tag: 'Pages',
    summary: 'Create or change many redirects',
    client: 'redirects.putAll',
    permission: 'publish',
    agents: 'confirm',
    description:
      'Redirects of the project, which are live at once. Existing ones get the new targets. One that cannot be made stops no other.',
    params: project,
    body: {
      schema: requestBody(PutRedirects, { id: 'PutRedirects' }),
      required: true,
      example: { items: [{ from: '/index.xml', to: '/feed.xml' }] },
    },
    answers: [json(200, 'What became of each.', enveloped(PutResult))],
    errors: ['conflict'],
    async run({ caller, body, param }, { projectRedirects }) {
      const made = await projectRedirects.putAll(caller, param('id'), () => readPutRedirects(body))
      const count = (outcome: PutRedirect['outcome']) => made.filter((one) => one.outcome === outcome).length
      return record({
        created: count('created'),
        updated: count('updated'),
        unchanged: count('unchanged'),
        failed: count('failed'),
        items: made.map(presentPut),
      })
    },
  }),
  endpoint({
    id: 'updateRedirect',
    method: 'put',
    path: '/projects/{id}/redirects/{redirect_id}',
    tag: 'Pages',
    summary: 'Change a redirect',
    client: 'redirects.update',
    permission: 'publish',
    agents: 'confirm',
    description: 'Gives a redirect of the project another path or target, which is live at once.',
    params: redirect,
    body: {
      schema: requestBody(UpdateRedirect, {
        id: 'UpdateRedirect',
        ignored: [...REDIRECT_READ_ONLY, 'page_id'],
      }),
      required: true,
      example: { to: '/docs/other' },
    },
    answers: [json(200, 'The changed redirect.', enveloped(item))],
    errors: ['conflict'],
    async run({ caller, body, param }, { redirects, projectRedirects }) {
      const id = await projectRedirects.update(caller, param('id'), param('redirect_id'), () =>
        readUpdateRedirect(body),
      )
      return record(presentRedirect(await redirects.get(readerOf(caller), param('id'), id)))
    },
  }),
  endpoint({
    id: 'deleteRedirect',
    method: 'delete',
    path: '/projects/{id}/redirects/{redirect_id}',
    tag: 'Pages',
    summary: 'Delete a redirect',
    client: 'redirects.delete',
    permission: 'publish',
    description:
      'Deletes a redirect of the project, or a path that a page had before it moved. It leads nowhere at once, or to a page that was there before.',
    params: redirect,
    answers: [
      json(
        200,
        'The redirect was deleted.',
        enveloped(z.strictObject({ id: prefixedId('rdr'), deleted: z.literal(true) })),
      ),
    ],
    async run({ caller, param }, { projectRedirects }) {
      const id = await projectRedirects.remove(caller, param('id'), param('redirect_id'))
      return record({ id: prefixed('rdr', id), deleted: true })
    },
  }),
  endpoint({
    id: 'deletePageRedirect',
    method: 'delete',
    path: '/projects/{id}/redirects',
    tag: 'Pages',
    summary: 'Delete a redirect of a page',
    client: 'redirects.deleteOfPage',
    description:
      'Takes the path off the page that names it. The site serves it until the page is published next. Paths that a page had before it moved stay.',
    params: project,
    query: DeleteRedirect,
    answers: [
      json(
        200,
        'The redirect was deleted.',
        enveloped(z.strictObject({ from: z.string(), deleted: z.literal(true) })),
      ),
    ],
    async run({ caller, query, param }, { redirects }) {
      const from = await redirects.remove(caller, param('id'), query.from)
      return record({ from, deleted: true })
    },
  }),
]

/** The answer shows what the caller has just written. */
function readerOf(caller: Caller): Caller {
  return { ...caller, permissions: ['read'] }
}

function assertOfPage(redirect: NewRedirect) {
  if (!('page' in redirect)) throw new RangeError('The redirect belongs to no page.')
  return redirect
}

function assertOfProject(redirect: NewRedirect) {
  if (!('to' in redirect)) throw new RangeError('The redirect belongs to a page.')
  return redirect
}

function presentRedirect(redirect: Redirect) {
  const { id, from, to, kind, target, pageId, fragment, isLive, isDead, createdAt } = redirect
  return {
    id: id === null ? null : prefixed('rdr', id),
    from,
    to,
    kind,
    target,
    page_id: pageId === null ? null : prefixed('page', pageId),
    fragment,
    live: isLive,
    dead: isDead,
    created_at: createdAt,
  }
}

function presentPut(put: PutRedirect, index: number) {
  if (put.outcome === 'failed') {
    const { name, message } = put.error
    return { index, statusCode: STATUS[name], id: null, error: { name, message } }
  }
  return {
    index,
    statusCode: put.outcome === 'created' ? 201 : 200,
    id: prefixed('rdr', put.id),
    error: null,
  }
}
