import { z } from 'zod'
import { idParam } from '../answer-fields.ts'
import { PreviewLink } from '../current/page-answers.ts'
import { json, type Operation } from '../openapi/operation.ts'
import { CreatePreview } from './preview-routes.ts'

const params = idParam('page')

/** Previews of pages, as `preview-routes.ts` answers them. */
export const PREVIEW_OPERATIONS: readonly Operation[] = [
  {
    id: 'createPreview',
    method: 'post',
    path: '/pages/{id}/preview',
    tag: 'Previews',
    summary: 'Make a preview link',
    description:
      'Whoever has the link sees this page as it stands then, without a key, until the link expires.',
    params,
    body: { schema: CreatePreview, required: false, example: { expires_in: 3600 } },
    answers: [json(201, 'The link.', PreviewLink)],
  },
  {
    id: 'previewPage',
    method: 'get',
    path: '/render/{id}',
    tag: 'Previews',
    summary: 'Show a page as it stands now',
    description: 'Draft or not, with the present settings. It takes a key or the token of a preview link.',
    params,
    query: z.object({
      theme: z.string().optional().meta({ description: 'Tries another theme.' }),
      token: z.string().optional().meta({ description: 'Of a preview link, instead of a key.' }),
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
    summary: 'Get a file that a preview names',
    params: z.object({ file: z.string().meta({ examples: ['default.3f2a91c0.css'] }) }),
    answers: [{ status: 200, description: 'The file.', content: { '*/*': z.unknown() } }],
    errors: ['not_found'],
    access: 'open',
  },
]
