import { z } from 'zod'
import { type ReleaseId, readId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import { readDate } from '../../domain/page.ts'
import type { InvalidField } from '../../domain/section.ts'
import { timestamp } from '../../fields/values.ts'
import type { PublishOptions } from '../../services/publishing.ts'
import type { ScheduleOptions } from '../../services/scheduling.ts'
import { parseBody } from '../parse.ts'
import { flag, slice } from '../query-fields.ts'

export const PublishPage = z.strictObject({
  strict: z
    .boolean()
    .optional()
    .meta({ description: 'True: what would go live with a warning is refused instead.' }),
  publish_at: timestamp
    .nullable()
    .optional()
    .meta({
      description:
        'Publish the page then, as it will be then; in the future, at most 100 years ahead. Takes the place of an earlier one; null cancels that.',
      examples: ['2027-01-01T09:00:00Z'],
    }),
})

export const PublishQuery = z.object({
  dry_run: flag
    .default(false)
    .meta({ description: 'True: answer with what would be done, and do none of it.' }),
  timings: flag.default(false).meta({ description: 'True: answer with where the time went, too.' }),
})

export const ListReleases = z.object(slice(25))

export const RollBackPage = z.strictObject({
  release_id: z.string().meta({
    description: 'A release of this page that went live, with or without `rel_`.',
    examples: ['rel_h7n3xq5wkd2vt8mc'],
  }),
})

/** Unpublish takes no body, or an empty object. */
export const Nothing = z.strictObject({})

/** @throws {ServiceError} `validation_error` naming every field. */
export function readPublish(body: JsonObject | null): PublishOptions {
  if (body === null) return { strict: false }
  const also = () => (isSchedule(body) ? [{ path: 'publish_at', message: 'has no dry run.' }] : [])
  return { strict: parseBody(PublishPage, body, { also }).strict ?? false }
}

/**
 * @returns null for what is no release's id.
 * @throws {ServiceError} naming every fault.
 */
export function readRollBack(body: JsonObject): ReleaseId | null {
  return readId('rel', parseBody(RollBackPage, body).release_id)
}

/** @throws {ServiceError} `validation_error` naming every field. */
export function readNoFields(body: JsonObject | null): void {
  if (body !== null) parseBody(Nothing, body)
}

/** Whether a body is about a time to publish at rather than about publishing now. */
export function isSchedule(body: JsonObject | null): body is JsonObject {
  return body !== null && body['publish_at'] !== undefined
}

/**
 * @param now current time, ISO 8601 UTC.
 * @throws {ServiceError} naming every fault.
 */
export function readSchedule(body: JsonObject, now: string): ScheduleOptions {
  const also = () => scheduleFaults(body['publish_at'], now)
  const { publish_at: publishAt = null, strict = false } = parseBody(PublishPage, body, { also })
  return { publishAt, strict }
}

/** How far ahead a publish may be scheduled. */
const FURTHEST_YEARS = 100

function scheduleFaults(given: unknown, now: string): readonly InvalidField[] {
  const at = readDate(given)
  if (at === null) return []
  const furthest = new Date(now)
  furthest.setUTCFullYear(furthest.getUTCFullYear() + FURTHEST_YEARS)
  const fits = at > now && at <= furthest.toISOString()
  if (fits) return []
  return [{ path: 'publish_at', message: `must lie in the future, at most ${FURTHEST_YEARS} years ahead.` }]
}
