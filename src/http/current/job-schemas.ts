import { z } from 'zod'
import type { JsonObject } from '../../domain/json.ts'
import type { PageSelection } from '../../services/bulk-publishing.ts'
import { parseBody } from '../parse.ts'
import { slice } from '../query-fields.ts'

/** Pages that one request may name. */
const MOST_NAMED = 10_000

const pages = z
  .union([
    z.enum(['all', 'stale'], 'must be all, stale or a list of page ids.'),
    z
      .array(z.string())
      .min(1, 'must name at least one page.')
      .max(MOST_NAMED, `must name at most ${MOST_NAMED} pages.`),
  ])
  .meta({
    description:
      '`all`: the pages that are live now; `stale`: those of them that publishing again would change; or a list of page ids, drafts and archived pages included.',
    examples: ['stale'],
  })

export const ListSchedule = z.object(slice(25))

export const PublishPages = z.strictObject({ pages })

/** @throws {ServiceError} naming every fault. */
export function readPublishPages(body: JsonObject): PageSelection {
  return parseBody(PublishPages, body).pages
}
