import { z } from 'zod'

/** One record in the envelope of the current surface. */
export function enveloped<Data extends z.ZodType>(data: Data) {
  return z.strictObject({ data })
}

/** The `meta` of a list. */
export const listMeta = {
  total: z.int().min(0).meta({ description: 'Number of items that match, on all pages of the list.' }),
  limit: z.int().min(1).max(100),
  offset: z.int().min(0),
  has_more: z.boolean().meta({ description: 'Whether more items follow.' }),
}
