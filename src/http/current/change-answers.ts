import { z } from 'zod'
import { ACT_NAMES } from '../../domain/audit.ts'
import { CHANGE_RECORDS, type ChangeRecord } from '../../domain/change.ts'
import { moment, prefixedId } from '../answer-fields.ts'

const RECORDS = Object.keys(CHANGE_RECORDS) as [ChangeRecord, ...ChangeRecord[]]

const change = z
  .strictObject({
    seq: z.int().min(1).meta({ description: 'Its number in the project; it grows, with gaps.' }),
    at: moment,
    record: z.enum([...RECORDS, 'set']).meta({ examples: ['page'] }),
    id: z.string().meta({
      description: 'Its id; of settings, that of the project.',
      examples: ['page_k3v9q2m7x4tz8wpa'],
    }),
    act: z.enum(ACT_NAMES).meta({
      description:
        'As in the audit log. `update` also for what that does not record: the end of a schedule, a picture that was made smaller, a redirect that came live.',
      examples: ['page.publish'],
    }),
    deleted: z.boolean().meta({ description: 'Whether the record was deleted.' }),
    version: z.int().min(1).nullable().meta({
      description: 'Null for redirects, and where the record was deleted before the change was read.',
    }),
    status: z
      .string()
      .nullable()
      .meta({
        description: 'Status of a page, a project or an asset; null as for `version`.',
        examples: ['published'],
      }),
    release_id: prefixedId('rel').nullable().meta({ description: 'The release that went live.' }),
    url: z
      .string()
      .nullable()
      .meta({
        description: 'Of a page: where it is live since then; null where it is not.',
        examples: ['https://docs.example.com/setup'],
      }),
    former_url: z
      .string()
      .nullable()
      .meta({
        description: 'Of a page that moved or went off the site: where it was live before.',
        examples: [null],
      }),
    set_id: z.null().meta({ description: 'Null until there are release sets.' }),
    fields: z
      .array(z.string())
      .meta({ description: 'Names of the fields that changed.', examples: [['title', 'markdown']] }),
  })
  .meta({ id: 'Change' })

export const ChangeList = z.strictObject({
  data: z.array(change),
  meta: z.strictObject({
    next: z.string().meta({
      description: 'For `since` of the next request.',
      examples: ['128-0bGk7h2QxW9vTtRm'],
    }),
    has_more: z.boolean().meta({ description: 'Whether more changes are there already.' }),
  }),
})
