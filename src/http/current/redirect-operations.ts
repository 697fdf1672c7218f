import { z } from 'zod'
import { idParam, prefixedId } from '../answer-fields.ts'
import { CreateRedirect, DeleteRedirect, REDIRECT_READ_ONLY } from '../bodies/redirect-schemas.ts'
import { requestBody } from '../openapi/body.ts'
import { json, type Operation } from '../openapi/operation.ts'
import { enveloped } from './envelopes.ts'

const project = idParam('proj')

const item = z
  .strictObject({
    from: z.string().meta({ examples: ['/old/page'] }),
    to: z.string().meta({ description: 'The path of the page.', examples: ['/docs/page'] }),
    page_id: prefixedId('page'),
    stated: z.boolean().meta({
      description:
        'Whether the page names it in `redirect_from` of its `config` or front matter. Others are paths that the page had before it moved.',
    }),
    live: z.boolean().meta({ description: 'Whether the site serves it now.' }),
  })
  .meta({ id: 'Redirect' })

/** Descriptions of the operations on redirects, which `redirect-routes.ts` implements. */
export const REDIRECT_OPERATIONS: readonly Operation[] = [
  {
    id: 'listRedirects',
    method: 'get',
    path: '/projects/{id}/redirects',
    tag: 'Pages',
    summary: 'List the redirects of a project',
    description:
      'Paths that pages name, and those that pages had before they moved, by path. Of the first 1,000 pages that have any.',
    params: project,
    answers: [json(200, 'The redirects.', z.strictObject({ data: z.array(item) }))],
  },
  {
    id: 'createRedirect',
    method: 'post',
    path: '/projects/{id}/redirects',
    tag: 'Pages',
    summary: 'Create a redirect',
    description:
      'Adds the path to `redirect_from` of the page. The site serves it when the page is published next, and it moves with the page. A path that leads to the page already stays.',
    params: project,
    body: {
      schema: requestBody(CreateRedirect, { id: 'CreateRedirect', ignored: REDIRECT_READ_ONLY }),
      required: true,
      example: { from: '/old/page', page_id: 'page_k3v9q2m7x4tz8wpa' },
    },
    answers: [json(201, 'The redirect.', enveloped(item))],
    errors: ['conflict'],
  },
  {
    id: 'deleteRedirect',
    method: 'delete',
    path: '/projects/{id}/redirects',
    tag: 'Pages',
    summary: 'Delete a redirect',
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
