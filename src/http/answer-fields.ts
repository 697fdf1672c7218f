import { z } from 'zod'
import { ID_ALPHABET, ID_LENGTH, type IdPrefix } from '../domain/ids.ts'

/* Schemas of answers, and of ids in paths, that both surfaces share. */

const EXAMPLE_ID = 'k3v9q2m7x4tz8wpa'

/** An id on the current surface: `page_…`. */
export function prefixedId(prefix: IdPrefix) {
  return z
    .string()
    .regex(new RegExp(`^${prefix}_[${ID_ALPHABET}]{${ID_LENGTH}}$`))
    .meta({ examples: [`${prefix}_${EXAMPLE_ID}`] })
}

/** An id on the legacy surface, without a prefix. */
export const bareId = z
  .string()
  .regex(new RegExp(`^[${ID_ALPHABET}]{${ID_LENGTH}}$`))
  .meta({ examples: [EXAMPLE_ID] })

/** A point in time, ISO 8601 UTC. */
export const moment = z.iso
  .datetime()
  .meta({ format: 'date-time', pattern: undefined, examples: ['2026-11-01T09:30:00.000Z'] })

/** A date that a user wrote, with its offset. */
export const localMoment = z.iso
  .datetime({ offset: true })
  .meta({ format: 'date-time', pattern: undefined, examples: ['2026-11-01T09:30:00.000+01:00'] })

/** The code of a warning. Warnings that older versions recorded have none. */
export const warningCode = z
  .string()
  .regex(/^QN(-[A-Z0-9]+)+$/)
  .optional()
  .meta({
    description:
      'A stable name for the kind of warning. Absent from warnings recorded by versions without codes.',
    examples: ['QN-DEADLINK'],
  })

/** Any JSON object. */
export const anyObject = z.looseObject({})

/** `{id}` in a path; both surfaces accept either form of an id. */
export function idParam(prefix: IdPrefix) {
  return z.object({ id: idRef(prefix) })
}

/** An id in a path, in either form. */
export function idRef(prefix: IdPrefix) {
  const description = `The id, with or without \`${prefix}_\`.`
  return z.string().meta({ description, examples: [`${prefix}_${EXAMPLE_ID}`] })
}
