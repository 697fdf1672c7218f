import { z } from 'zod'
import { idParam } from '../answer-fields.ts'
import { PreviewLink } from '../current/page-answers.ts'
import { type Endpoint, endpointsWith, record } from '../endpoint.ts'
import { json, type Operation } from '../openapi/operation.ts'
import { parseBody } from '../parse.ts'
import { CreatePreview, type PreviewRoutePorts } from './preview-routes.ts'

const endpoint = endpointsWith<PreviewRoutePorts>()

const params = idParam('page')

/** Operations on previews. `preview-routes.ts` implements the ones that answer with pages and files. */
export const PREVIEW_OPERATIONS: readonly (Operation | Endpoint<PreviewRoutePorts>)[] = [
  endpoint({
    id: 'createPreview',
    method: 'post',
    path: '/pages/{id}/preview',
    tag: 'Previews',
    summary: 'Create a preview link',
    client: 'pages.createPreview',
    description:
      'The link shows the current state of the page without an API key, until it expires. It ends earlier when the key that created it expires or is revoked. Requires the permission `write`.',
    params,
    body: { schema: CreatePreview, required: false, example: { expires_in: 3600 } },
    answers: [json(201, 'The link.', PreviewLink)],
    async run({ caller, body, param }, { previews }) {
      const { url, token, expiresAt } = await previews.createLink(
        caller,
        param('id'),
        () => parseBody(CreatePreview, body).expires_in,
      )
      return record({ url, token, expires_at: expiresAt }, { status: 201, secret: true })
    },
  }),
  {
    id: 'previewPage',
    method: 'get',
    path: '/render/{id}',
    tag: 'Previews',
    summary: 'Preview a page',
    client: 'pages.preview',
    agents: 'none',
    description:
      'Renders the page as it is now, published or not, with the current settings. Requires an API key or the token of a preview link.',
    params,
    query: z.object({
      theme: z.string().optional().meta({ description: 'Renders the page with another theme.' }),
      token: z.string().optional().meta({ description: 'The token of a preview link, in place of a key.' }),
    }),
    answers: [{ status: 200, description: 'The page.', content: { 'text/html': z.string() } }],
    errors: ['validation_error', 'not_found', 'project_scope_violation'],
    access: 'key or token',
  },
  {
    id: 'previewAsset',
    method: 'get',
    path: '/render/_assets/{file}',
    tag: 'Previews',
    summary: 'Get an asset of a preview',
    client: null,
    agents: 'none',
    params: z.object({ file: z.string().meta({ examples: ['default.3f2a91c0.css'] }) }),
    answers: [{ status: 200, description: 'The file.', content: { '*/*': z.unknown() } }],
    errors: ['not_found'],
    access: 'open',
  },
]
