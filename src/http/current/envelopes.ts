import { z } from 'zod'

/** One record in the envelope of the current surface. */
export function enveloped<Data extends z.ZodType>(data: Data) {
  return z.strictObject({ data })
}

/** The `meta` of a list. */
export const listMeta = {
  total: z
    .int()
    .min(0)
    .nullable()
    .meta({ description: 'Number of items that match, on all pages of the list; null with a cursor.' }),
  limit: z.int().min(1).max(100),
  offset: z.int().min(0).nullable().meta({ description: 'Null with a cursor.' }),
  has_more: z.boolean().meta({ description: 'Whether more items follow.' }),
  next_cursor: z
    .string()
    .nullable()
    .meta({
      description: 'For `cursor` of the next request; null at the end of the list.',
      examples: [null],
    }),
}
