import { z } from 'zod'
import { moment, prefixedId, warningCode } from '../answer-fields.ts'
import { enveloped, listMeta } from './envelopes.ts'

export const Job = enveloped(
  z
    .strictObject({
      id: prefixedId('job'),
      status: z.enum(['queued', 'running', 'succeeded', 'failed']).meta({
        description:
          'A job that has ended has `succeeded` when every page went live; else it has `failed`, which includes one that was cancelled.',
      }),
      total: z.int().min(0).meta({ description: 'How many pages are to be published.' }),
      done: z.int().min(0).meta({ description: 'How many of them are dealt with, failed ones included.' }),
      failed: z
        .array(z.strictObject({ page_id: prefixedId('page'), message: z.string() }))
        .meta({ description: 'Pages that did not go live, and why.', examples: [[]] }),
      created_at: moment,
      finished_at: moment.nullable().meta({ examples: [null] }),
      warnings: z
        .array(
          z.strictObject({
            page_id: prefixedId('page'),
            code: warningCode,
            at: z
              .string()
              .nullable()
              .meta({ description: 'Where in the page; null when it is about all of it.' }),
            message: z.string(),
            written: z
              .string()
              .optional()
              .meta({ description: 'What it is about, or the beginning of it, as it is written there.' }),
          }),
        )
        .optional()
        .meta({
          description:
            'What the owner should know of the pages that went live, the first 1,000. There once the job has ended, when there is anything.',
        }),
      warning_count: z
        .int()
        .min(1)
        .optional()
        .meta({ description: 'How many warnings there are, with those that are not listed.' }),
    })
    .meta({ id: 'Job' }),
)

export const ScheduleList = z.strictObject({
  data: z.array(
    z
      .strictObject({
        page_id: prefixedId('page'),
        publish_at: moment,
        strict: z.boolean().meta({ description: 'Whether a warning keeps it from going live.' }),
        job_id: prefixedId('job'),
      })
      .meta({ id: 'ScheduledPublish' }),
  ),
  meta: z.strictObject(listMeta),
})
