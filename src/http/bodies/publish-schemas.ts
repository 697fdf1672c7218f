import { z } from 'zod'
import { readDate } from '../../domain/date.ts'
import { type ReleaseId, readId } from '../../domain/ids.ts'
import type { InvalidField } from '../../domain/invalid-field.ts'
import type { JsonObject } from '../../domain/json.ts'
import { zonedTimestamp } from '../../fields/values.ts'
import type { PublishOptions } from '../../services/publishing/publishing.ts'
import type { ScheduleOptions } from '../../services/publishing/scheduling.ts'
import { parseBody } from '../parse.ts'
import { flag, walkedSlice } from '../query-fields.ts'

export const PublishPage = z.strictObject({
  strict: z
    .boolean()
    .optional()
    .meta({ description: 'True: refuses a page that would go live with a warning.' }),
  publish_at: zonedTimestamp
    .nullable()
    .optional()
    .meta({
      description:
        'Publishes the page at this time, as it is then: a time with its zone (`Z` or an offset), or a date, which is midnight UTC. In the future, at most 100 years ahead. Replaces an earlier schedule; null cancels it.',
      examples: ['2027-01-01T09:00:00Z'],
    }),
})

export const DeletePageQuery = z.object({
  redirect_to: z
    .string()
    .max(2_048)
    .optional()
    .meta({
      description:
        'Target for all paths of the page, present and former: the id of a page, a path of the site, or an `https:` URL. The paths become redirects of the project.',
      examples: ['/docs/other'],
    }),
})

export const PublishQuery = z.object({
  dry_run: flag.default(false).meta({ description: 'True: answers with the plan and changes nothing.' }),
  timings: flag.default(false).meta({ description: 'True: adds `timings` to the answer.' }),
})

export const ListReleases = z.object(walkedSlice(25))

export const RollBackPage = z.strictObject({
  release_id: z.string().meta({
    description: 'A release of this page that went live, with or without `rel_`.',
    examples: ['rel_h7n3xq5wkd2vt8mc'],
  }),
})

/** An optional body without fields. */
export const EmptyBody = z.strictObject({})

/** @throws {ServiceError} `validation_error` that names every invalid field. */
export function readPublish(body: JsonObject | null): PublishOptions {
  if (body === null) return { strict: false }
  const also = () =>
    isSchedule(body) ? [{ path: 'publish_at', message: 'cannot be combined with dry_run.' }] : []
  return { strict: parseBody(PublishPage, body, { also }).strict ?? false }
}

/**
 * @returns null for a malformed id.
 * @throws {ServiceError} that names every invalid field.
 */
export function readRollBack(body: JsonObject): ReleaseId | null {
  return readId('rel', parseBody(RollBackPage, body).release_id)
}

/** @throws {ServiceError} `validation_error` that names every invalid field. */
export function readNoFields(body: JsonObject | null): void {
  if (body !== null) parseBody(EmptyBody, body)
}

/** Reports whether a body schedules a publish or cancels a schedule. */
export function isSchedule(body: JsonObject | null): body is JsonObject {
  return body !== null && body['publish_at'] !== undefined
}

/**
 * @param now current time, ISO 8601 UTC.
 * @throws {ServiceError} that names every invalid field.
 */
export function readSchedule(body: JsonObject, now: string): ScheduleOptions {
  const also = () => scheduleErrors(body['publish_at'], now)
  const { publish_at: publishAt = null, strict = false } = parseBody(PublishPage, body, { also })
  return { publishAt, strict }
}

/** Latest time of a scheduled publish, in years from now. */
const FURTHEST_YEARS = 100

function scheduleErrors(given: unknown, now: string): readonly InvalidField[] {
  const at = readDate(given)
  if (at === null) return []
  const furthest = new Date(now)
  furthest.setUTCFullYear(furthest.getUTCFullYear() + FURTHEST_YEARS)
  const fits = at > now && at <= furthest.toISOString()
  if (fits) return []
  return [
    {
      path: 'publish_at',
      message: `must be in the future, at most ${FURTHEST_YEARS} years ahead.`,
      code: 'out_of_range',
    },
  ]
}
