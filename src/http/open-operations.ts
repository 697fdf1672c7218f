import { z } from 'zod'
import { prefixedId } from './answer-fields.ts'
import { AskTls } from './internal-routes.ts'
import { ErrorBody } from './openapi/error-schema.ts'
import { type Answer, json, type Operation } from './openapi/operation.ts'

const notModified: Answer = {
  status: 304,
  description: 'The version that the client has is current.',
  content: {},
}
const notFound: Answer = {
  status: 404,
  description: "Nothing is published at this path: the site's 404 page.",
  content: { 'text/html': z.string() },
}

const readiness = z.strictObject({
  status: z.enum(['ok', 'unavailable']),
  database: z.boolean(),
  storage: z.boolean(),
})

/** Descriptions of the operations without a key: published sites, health, metrics and documentation. */
export const OPEN_OPERATIONS: readonly Operation[] = [
  {
    id: 'getPublished',
    method: 'get',
    path: '/public/{project_id}/{path}',
    tag: 'Public sites',
    summary: 'Get a published object',
    description: [
      'Any path of the site, including slashes. A path without its final slash redirects to the page of that name.',
      "On a site's own domain the same objects are served under `/`.",
    ].join(' '),
    params: z.object({
      project_id: prefixedId('proj'),
      path: z.string().meta({ examples: ['blog/opening-hours/'] }),
    }),
    answers: [
      { status: 200, description: 'The object.', content: { '*/*': z.unknown() } },
      { status: 206, description: 'The requested range of the object.', content: { '*/*': z.unknown() } },
      notModified,
      {
        status: 308,
        description: 'The page has the same path with a slash at its end, or has moved to `Location`.',
        content: {},
      },
      notFound,
      { status: 416, description: 'The range is outside the object.', content: {} },
      {
        status: 503,
        description:
          'The store does not respond, or the service has no room for the answer; retry after `Retry-After`.',
        content: { 'text/html': z.string(), 'application/json': ErrorBody },
      },
    ],
    access: 'open',
  },
  {
    id: 'getHealth',
    method: 'get',
    path: '/healthz',
    tag: 'Service',
    summary: 'Check that the process is alive',
    answers: [json(200, 'The process is alive.', z.strictObject({ status: z.literal('ok') }))],
    access: 'open',
  },
  {
    id: 'getReadiness',
    method: 'get',
    path: '/readyz',
    tag: 'Service',
    summary: 'Check that the service can work',
    description:
      'Whether the database can be read and written and is not known to be damaged, and whether the store can be used. An answer is at most a second old.',
    answers: [json(200, 'Both can be used.', readiness), json(503, 'One of them cannot be used.', readiness)],
    access: 'open',
  },
  {
    id: 'getMetrics',
    method: 'get',
    path: '/metrics',
    tag: 'Service',
    summary: 'Get metrics',
    description: 'Metrics of all projects together, in the text format of Prometheus.',
    answers: [{ status: 200, description: 'The metrics.', content: { 'text/plain': z.string() } }],
    access: 'open',
  },
  {
    id: 'askTls',
    method: 'get',
    path: '/internal/tls-ask',
    tag: 'Service',
    summary: 'Ask whether a domain may get a certificate',
    description:
      'For proxies that get certificates on demand. Exists only for requests of this machine and of trusted proxies themselves.',
    query: AskTls,
    answers: [json(200, 'A site is served at the domain.', z.strictObject({ domain: z.string() }))],
    errors: ['not_found'],
    access: 'open',
  },
  {
    id: 'getOpenApi',
    method: 'get',
    path: '/openapi.json',
    tag: 'Service',
    summary: 'Get the OpenAPI document',
    answers: [json(200, 'An OpenAPI 3.1 document.', z.looseObject({ openapi: z.string() })), notModified],
    access: 'open',
  },
  {
    id: 'getSectionsSchema',
    method: 'get',
    path: '/schemas/sections.json',
    tag: 'Service',
    summary: 'Get the schema of sections',
    description:
      'The schema of `config.sections` of a page: every type of section, with its props and their aliases.',
    answers: [json(200, 'JSON Schema 2020-12.', z.looseObject({ $schema: z.string() })), notModified],
    access: 'open',
  },
  {
    id: 'getReference',
    method: 'get',
    path: '/reference',
    tag: 'Service',
    summary: 'Get the API reference',
    answers: [
      { status: 200, description: 'The API reference as a page.', content: { 'text/html': z.string() } },
      notModified,
    ],
    access: 'open',
  },
  {
    id: 'getProblem',
    method: 'get',
    path: '/problems/{name}',
    tag: 'Service',
    summary: 'Get the page about an error',
    description: 'The `type` of problem details names it.',
    params: z.object({ name: z.string().meta({ examples: ['not_found'] }) }),
    answers: [{ status: 200, description: 'The page.', content: { 'text/html': z.string() } }, notModified],
    errors: ['not_found'],
    access: 'open',
  },
  {
    id: 'getReferenceStyle',
    method: 'get',
    path: '/reference/style.css',
    tag: 'Service',
    summary: 'Get the style sheet of the API reference',
    answers: [
      { status: 200, description: 'The style sheet.', content: { 'text/css': z.string() } },
      notModified,
    ],
    access: 'open',
  },
]
