import { z } from 'zod'
import { BATCH_TYPE, EVENT_TYPES, type EventType, MAX_BATCH, TEST_TYPE } from '../../domain/webhook.ts'
import { moment, prefixedId } from '../answer-fields.ts'
import type { Message } from '../openapi/message.ts'
import { counts } from './push-answers.ts'

/* Schemas of the messages to webhooks, for the OpenAPI document. */

const page = {
  project_id: prefixedId('proj'),
  page_id: prefixedId('page'),
  page_name: z.string().meta({ examples: ['Opening hours'] }),
  slug: z.string().meta({ examples: ['opening-hours'] }),
  subroute: z.string().meta({ examples: ['blog'] }),
  page_type: z.enum(['page', 'article', 'docs', 'item']),
  status: z.enum(['draft', 'published', 'archived', 'deleted']).meta({ examples: ['published'] }),
  url: z.string().meta({
    description: 'The absolute URL that the page has, had or would have.',
    examples: ['https://www.example.com/blog/opening-hours'],
  }),
}
const release = prefixedId('rel')

const live = z
  .strictObject({ ...page, published_at: moment, release_id: release })
  .meta({ id: 'LivePageEvent' })
const unpublished = z
  .strictObject({ ...page, unpublished_at: moment, release_id: release })
  .meta({ id: 'GonePageEvent' })
const stored = z
  .strictObject({
    ...page,
    published_at: moment
      .nullable()
      .meta({ description: 'Time of the last publish; null when the page was never published.' }),
    release_id: z.null(),
  })
  .meta({ id: 'StoredPageEvent' })

const pushed = z
  .strictObject({
    project_id: page.project_id,
    push_id: prefixedId('psh'),
    revision: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    counts,
  })
  .meta({ id: 'PushEvent' })

const EVENTS: Readonly<Record<EventType, readonly [summary: string, data: z.ZodType]>> = {
  'page.published': ['A page went live', live],
  'page.unpublished': ['A page was unpublished', unpublished],
  'page.created': ['A page was created', stored],
  'page.updated': ['A page was edited', stored],
  'page.deleted': ['A page was deleted', stored],
  'release.rolled_back': ['An earlier release of a page is live again', live],
  'project.pushed': ['A content folder was pushed', pushed],
}

function event(type: string, data: z.ZodType) {
  return z.strictObject({ type: z.literal(type), timestamp: moment, data })
}

const inBatch = z.union(
  EVENT_TYPES.map((type) => event(type, EVENTS[type][1]).extend({ id: prefixedId('evt') })),
)

/** One message for each value of `type`. */
export const WEBHOOK_MESSAGES: readonly Message[] = [
  ...EVENT_TYPES.map((type) => {
    const [summary, data] = EVENTS[type]
    return { name: type, summary, schema: event(type, data) }
  }),
  {
    name: BATCH_TYPE,
    summary: 'The events of a coalescing window',
    schema: event(
      BATCH_TYPE,
      z.strictObject({ project_id: page.project_id, events: z.array(inBatch).min(1).max(MAX_BATCH) }),
    ),
  },
  {
    name: TEST_TYPE,
    summary: 'A test event',
    schema: event(TEST_TYPE, z.strictObject({ project_id: page.project_id, webhook_id: prefixedId('whk') })),
  },
]
