import { z } from 'zod'
import { moment, prefixedId, warningCode } from '../answer-fields.ts'
import { enveloped, listMeta } from './envelopes.ts'
import { jobStatus } from './job-schemas.ts'

const job = z
  .strictObject({
    id: prefixedId('job'),
    status: jobStatus.meta({
      description:
        'A finished job has `succeeded` when every page went live; otherwise it has `failed`, as has a cancelled job.',
    }),
    total: z.int().min(0).meta({ description: 'Number of pages to publish.' }),
    done: z.int().min(0).meta({ description: 'Number of pages that are done, including failed ones.' }),
    failed: z
      .array(z.strictObject({ page_id: prefixedId('page'), message: z.string().min(1) }))
      .meta({ description: 'Pages that did not go live, with the reason.', examples: [[]] }),
    created_at: moment,
    finished_at: moment.nullable().meta({ examples: [null] }),
    scheduled_at: moment
      .nullable()
      .meta({ description: 'When a scheduled publish happens; null for other jobs.', examples: [null] }),
    warnings: z
      .array(
        z.strictObject({
          page_id: prefixedId('page'),
          code: warningCode,
          at: z.string().nullable().meta({
            description: 'Position in the page, e.g. `config.sections[2]`; null for the whole page.',
          }),
          message: z.string().min(1),
          written: z
            .string()
            .optional()
            .meta({ description: 'The text that the warning is about, or the start of it.' }),
        }),
      )
      .optional()
      .meta({
        description:
          'Warnings about pages that went live, the first 1,000. Present when the job has ended with warnings.',
      }),
    warning_count: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'Number of warnings, including those that are not listed.' }),
  })
  .meta({ id: 'Job' })

export const Job = enveloped(job)

export const JobList = z.strictObject({ data: z.array(job), meta: z.strictObject(listMeta) })

export const ScheduleList = z.strictObject({
  data: z.array(
    z
      .strictObject({
        page_id: prefixedId('page'),
        publish_at: moment,
        strict: z.boolean().meta({ description: 'Whether a warning prevents the publish.' }),
        job_id: prefixedId('job'),
      })
      .meta({ id: 'ScheduledPublish' }),
  ),
  meta: z.strictObject(listMeta),
})
