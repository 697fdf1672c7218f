import { z } from 'zod'
import { VISIT_DAYS } from '../../domain/visits.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/

function isDay(text: string): boolean {
  const time = DAY.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

const day = z
  .string()
  .max(10)
  .refine(isDay, 'must be a day such as 2026-11-28.')
  .meta({ format: 'date', examples: ['2026-11-28'] })

export const GetVisits = z.object({
  from: day
    .optional()
    .meta({ description: `The first day; 29 days before \`to\` by default, and at most ${VISIT_DAYS - 1}.` }),
  to: day.optional().meta({ description: 'The last day, in UTC; today by default.' }),
})
