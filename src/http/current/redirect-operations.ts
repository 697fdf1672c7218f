import { z } from 'zod'
import { MAX_SITE_REDIRECTS } from '../../domain/site-redirect.ts'
import { REDIRECT_KINDS } from '../../services/pages/redirects.ts'
import { idParam, idRef, moment, prefixedId } from '../answer-fields.ts'
import {
  CreateRedirect,
  DeleteRedirect,
  ListRedirects,
  PutRedirects,
  REDIRECT_READ_ONLY,
  UpdateRedirect,
} from '../bodies/redirect-schemas.ts'
import { requestBody } from '../openapi/body.ts'
import { json, type Operation } from '../openapi/operation.ts'
import { enveloped, listMeta } from './envelopes.ts'

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

/** Descriptions of the operations on redirects, which `redirect-routes.ts` implements. */
export const REDIRECT_OPERATIONS: readonly Operation[] = [
  {
    id: 'listRedirects',
    method: 'get',
    path: '/projects/{id}/redirects',
    tag: 'Pages',
    summary: 'List the redirects of a project',
    description:
      'Redirects of the project, paths that pages name, and those that pages had before they moved, by path. Of the first 1,000 pages that name any.',
    params: project,
    query: ListRedirects,
    answers: [
      json(200, 'The redirects.', z.strictObject({ data: z.array(item), meta: z.strictObject(listMeta) })),
    ],
  },
  {
    id: 'createRedirect',
    method: 'post',
    path: '/projects/{id}/redirects',
    tag: 'Pages',
    summary: 'Create a redirect',
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
  },
  {
    id: 'putRedirects',
    method: 'post',
    path: '/projects/{id}/redirects/bulk',
    tag: 'Pages',
    summary: 'Create or change many redirects',
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
  },
  {
    id: 'updateRedirect',
    method: 'put',
    path: '/projects/{id}/redirects/{redirect_id}',
    tag: 'Pages',
    summary: 'Change a redirect',
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
  },
  {
    id: 'deleteRedirect',
    method: 'delete',
    path: '/projects/{id}/redirects/{redirect_id}',
    tag: 'Pages',
    summary: 'Delete a redirect',
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
  },
  {
    id: 'deletePageRedirect',
    method: 'delete',
    path: '/projects/{id}/redirects',
    tag: 'Pages',
    summary: 'Delete a redirect of a page',
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
  },
]
