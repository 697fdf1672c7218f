import { z } from 'zod'
import { ServiceError } from '../../domain/errors.ts'
import { prefixed } from '../../domain/ids.ts'
import { MAX_LIST_BYTES } from '../../domain/list-bytes.ts'
import type { BulkPageService, BulkResult } from '../../services/pages/bulk-pages.ts'
import { idParam, prefixedId } from '../answer-fields.ts'
import { bulkReaders, MAX_BULK_ITEMS, readBulkWrite, WritePages } from '../bodies/bulk-schemas.ts'
import { type ApiRequest, type Endpoint, endpointsWith, record } from '../endpoint.ts'
import { errorBody, errorFields } from '../middleware/errors.ts'
import { ErrorBody, FieldError } from '../openapi/error-schema.ts'
import { json } from '../openapi/operation.ts'
import { costOfItems } from '../request-cost.ts'
import { enveloped } from './envelopes.ts'
import { UpdatedPage } from './page-answers.ts'
import { presentUpdatedPage } from './present.ts'

export interface BulkPageOperationPorts {
  readonly bulkPages: BulkPageService
  readonly themes: readonly string[]
}

const endpoint = endpointsWith<BulkPageOperationPorts>()

const count = z.int().min(0)

const WrittenPages = enveloped(
  z
    .strictObject({
      created: count,
      updated: count,
      unchanged: count.meta({
        description: 'Items whose page had this content already: nothing was stored.',
      }),
      failed: count,
      items: z
        .array(
          z.strictObject({
            index: count.meta({ description: 'Its place in the request.' }),
            statusCode: z.int().meta({
              description: '201 for a new page, 200 for another one, or that of the error.',
              examples: [201],
            }),
            id: prefixedId('page').nullable(),
            version: z.int().min(1).nullable().meta({ description: 'For `if_match` of a later change.' }),
            url: z
              .string()
              .nullable()
              .meta({
                description: 'The public URL of the page.',
                examples: ['https://example.com/docs/install'],
              }),
            page: UpdatedPage.shape.data
              .nullable()
              .optional()
              .meta({ description: 'With `return=full`; null where the answer would exceed 8 MiB.' }),
            error: z
              .strictObject({
                name: ErrorBody.shape.name,
                message: ErrorBody.shape.message,
                errors: z.array(FieldError),
              })
              .nullable(),
          }),
        )
        .max(MAX_BULK_ITEMS)
        .meta({ description: 'In the order of the request.' }),
    })
    .meta({ id: 'WrittenPages' }),
)

const WritePagesQuery = z.object({
  return: z
    .literal('full', 'must be full.')
    .optional()
    .meta({ description: 'Adds the page to each result.' }),
})

export const BULK_PAGE_OPERATIONS: readonly Endpoint<BulkPageOperationPorts>[] = [
  endpoint({
    id: 'writePages',
    method: 'post',
    path: '/projects/{id}/pages/bulk',
    tag: 'Pages',
    summary: 'Create and update many pages',
    client: 'pages.write',
    description: [
      'Items are applied in order, and see those before them. Nothing that is live changes.',
      'Without `atomic`, each item is written by itself: an error stops no other item, and the answer is 200 even if all fail.',
      'With `atomic: true` one error undoes all, and is the answer; its paths begin with the item, as `items[3].page.title`.',
      'An `Idempotency-Key` covers each item: a request that is repeated after a lost answer takes the results of the items that were written, and writes the others.',
      'Counts as one request and one more for each begun 10 items.',
    ].join(' '),
    params: idParam('proj'),
    query: WritePagesQuery,
    body: {
      schema: WritePages,
      required: true,
      example: {
        items: [
          {
            op: 'create',
            ref: 'guide',
            page: { title: 'Guide', slug: 'guide', subroute: 'docs', type: 'docs' },
          },
          {
            op: 'upsert',
            page: {
              title: 'Install',
              slug: 'install',
              subroute: 'docs/guide',
              type: 'docs',
              parent_page: { ref: 'guide' },
            },
          },
        ],
      },
    },
    answers: [json(200, 'What was done.', WrittenPages)],
    errors: ['conflict', 'precondition_failed'],
    async run(request, { bulkPages, themes }) {
      const { caller, body, param, query, state } = request
      const write = readBulkWrite(body)
      await state.charge?.(costOfItems(write.items.length))
      const results = await bulkPages.write(caller, param('id'), write, bulkReaders(themes))
      const items = results.map(presentResult)
      const full = query.return === 'full' ? await withPages(items, request, bulkPages) : items
      const outcomes = results.map((result) => (result instanceof ServiceError ? 'failed' : result.outcome))
      const number = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length
      return record({
        created: number('created'),
        updated: number('updated'),
        unchanged: number('unchanged'),
        failed: number('failed'),
        items: full,
      })
    },
  }),
]

type PresentedResult = ReturnType<typeof presentResult>

function presentResult(result: BulkResult, index: number) {
  if (result instanceof ServiceError) {
    const { name, message, statusCode } = errorBody(result)
    const error = { name, message, errors: errorFields(result) }
    return { index, statusCode, id: null, version: null, url: null, error }
  }
  const { outcome, id, version, url } = result
  const statusCode = outcome === 'created' ? 201 : 200
  return { index, statusCode, id: prefixed('page', id), version, url, error: null }
}

/** The results with as many of their pages as fit into an answer, and into the time of the request. */
async function withPages(
  items: readonly PresentedResult[],
  { caller }: ApiRequest,
  bulkPages: BulkPageService,
): Promise<readonly object[]> {
  const { reserve: _, ...known } = caller
  const full: object[] = []
  let bytes = Buffer.byteLength(JSON.stringify(items))
  for (const item of items) {
    const reads = item.id !== null && bytes < MAX_LIST_BYTES
    const found = reads ? await bulkPages.written({ ...known, permissions: ['read'] }, item.id) : null
    const page = found && presentUpdatedPage(found)
    bytes += page === null ? 0 : Buffer.byteLength(JSON.stringify(page))
    full.push({ ...item, page: bytes < MAX_LIST_BYTES ? page : null })
  }
  return full
}
