import { z } from 'zod'

/**
 * Extends the schema of a body with fields that clients may also send.
 *
 * @param either two names of one field: the one in the schema, and its alias.
 * @param ignored read-only fields, which are accepted without an effect.
 */
export function requestBody(
  schema: z.ZodObject,
  {
    id,
    either,
    ignored = [],
  }: {
    readonly id: string
    readonly either?: readonly [string, string]
    readonly ignored?: readonly string[]
  },
): z.ZodObject {
  const readOnly = ignored.map((name) => [name, z.unknown().optional().meta({ readOnly: true })])
  const whole = schema.extend(Object.fromEntries(readOnly))
  return either === undefined ? whole.meta({ id }) : withEither(whole, either, id)
}

function withEither(schema: z.ZodObject, [own, other]: readonly [string, string], id: string): z.ZodObject {
  const field = schema.shape[own] as z.ZodType
  const isRequired = !field.safeParse(undefined).success
  const optional = field.optional()
  return schema
    .extend({ [own]: optional, [other]: optional.meta({ description: `The same field as \`${own}\`.` }) })
    .meta({ id, ...(isRequired && { anyOf: [{ required: [own] }, { required: [other] }] }) })
}
