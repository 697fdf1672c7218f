import { z } from 'zod'
import { CHANGE_RECORDS, type ChangeRecord } from '../../domain/change.ts'
import type { ChangeQuery } from '../../services/changes/changes.ts'
import { POSITION } from '../../services/changes/position.ts'
import { slice } from '../query-fields.ts'

/** Names in the parameter; release sets are named before there are any, so that clients can ask for them. */
const NAMES = [...Object.keys(CHANGE_RECORDS), 'set']

const { limit } = slice(100, 1_000)

export const ListChanges = z.object({
  since: z
    .string()
    .refine(
      (given) => given === 'now' || POSITION.test(given),
      'must be `next` of an earlier answer, or now.',
    )
    .optional()
    .meta({
      description:
        'The `next` of an earlier answer; `now` for the present position alone. Without it, from the first change.',
      examples: ['now'],
    }),
  limit,
  records: z
    .string()
    .refine(
      (given) => given.split(',').every((name) => NAMES.includes(name)),
      `must be some of ${NAMES.join(', ')}, joined by commas.`,
    )
    .transform((given) => given.split(','))
    .optional()
    .meta({
      description: `Only changes of these records: some of ${NAMES.map((name) => `\`${name}\``).join(', ')}, joined by commas.`,
      examples: ['page,asset'],
    }),
})

export function toChangeQuery({ since, records, limit }: z.output<typeof ListChanges>): ChangeQuery {
  return {
    since: since ?? null,
    records: records?.filter((name): name is ChangeRecord => name in CHANGE_RECORDS) ?? null,
    limit,
  }
}
