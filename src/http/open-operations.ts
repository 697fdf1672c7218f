import { z } from 'zod'
import { prefixedId } from './answer-fields.ts'
import { type Answer, json, type Operation } from './openapi/operation.ts'

const notModified: Answer = { status: 304, description: 'You have it already.', content: {} }
const notFound: Answer = {
  status: 404,
  description: "Nothing is published there: the site's own page for that.",
  content: { 'text/html': z.string() },
}

const readiness = z.strictObject({
  status: z.enum(['ok', 'unavailable']),
  database: z.boolean(),
  storage: z.boolean(),
})

/** What is answered without a key: the sites themselves, the state of the service, its description. */
export const OPEN_OPERATIONS: readonly Operation[] = [
  {
    id: 'getPublished',
    method: 'get',
    path: '/public/{project_id}/{path}',
    tag: 'Public sites',
    summary: 'Get what is published',
    description: [
      'Any path of the site, slashes included. A path without its last slash leads to the page of that name.',
      "On a site's own domain the same is found at `/`.",
    ].join(' '),
    params: z.object({
      project_id: prefixedId('proj'),
      path: z.string().meta({ examples: ['blog/opening-hours/'] }),
    }),
    answers: [
      { status: 200, description: 'The object.', content: { '*/*': z.unknown() } },
      { status: 206, description: 'The range of it that was asked for.', content: { '*/*': z.unknown() } },
      notModified,
      { status: 308, description: 'The page is at the same address with a slash at its end.', content: {} },
      notFound,
      { status: 416, description: 'There is no such range.', content: {} },
      {
        status: 503,
        description: 'The store that holds the site does not answer; `Retry-After` says when to come again.',
        content: { 'text/html': z.string() },
      },
    ],
    access: 'open',
  },
  {
    id: 'getHealth',
    method: 'get',
    path: '/healthz',
    tag: 'Service',
    summary: 'Tell whether the process lives',
    answers: [json(200, 'It does.', z.strictObject({ status: z.literal('ok') }))],
    access: 'open',
  },
  {
    id: 'getReadiness',
    method: 'get',
    path: '/readyz',
    tag: 'Service',
    summary: 'Tell whether database and storage answer',
    answers: [json(200, 'They do.', readiness), json(503, 'One of them does not.', readiness)],
    access: 'open',
  },
  {
    id: 'getMetrics',
    method: 'get',
    path: '/metrics',
    tag: 'Service',
    summary: 'Get what the service counts and measures',
    description: 'Of all projects together, in the text format of Prometheus.',
    answers: [{ status: 200, description: 'It all.', content: { 'text/plain': z.string() } }],
    access: 'open',
  },
  {
    id: 'getOpenApi',
    method: 'get',
    path: '/openapi.json',
    tag: 'Service',
    summary: 'Get this description of the API',
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
      'What `config.sections` of a page may hold: every type of section, its props and their aliases.',
    answers: [json(200, 'JSON Schema 2020-12.', z.looseObject({ $schema: z.string() })), notModified],
    access: 'open',
  },
  {
    id: 'getReference',
    method: 'get',
    path: '/reference',
    tag: 'Service',
    summary: 'Read this description in a browser',
    answers: [
      { status: 200, description: 'The page you may be reading.', content: { 'text/html': z.string() } },
      notModified,
    ],
    access: 'open',
  },
  {
    id: 'getReferenceStyle',
    method: 'get',
    path: '/reference/style.css',
    tag: 'Service',
    summary: 'Get the style of that page',
    answers: [{ status: 200, description: 'Its style.', content: { 'text/css': z.string() } }, notModified],
    access: 'open',
  },
]
