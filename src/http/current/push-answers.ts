import { z } from 'zod'
import { PAGE_STATUSES, PAGE_TYPES } from '../../domain/page.ts'
import { PUSH_COUNTS, PUSH_STATES } from '../../domain/push.ts'
import { SOURCE_RECORDS } from '../../domain/source.ts'
import { STALE_REASONS } from '../../domain/staleness.ts'
import { moment, prefixedId } from '../answer-fields.ts'
import { enveloped, listMeta } from './envelopes.ts'

/* Schemas of answers about pushes. `present-push.ts` creates the answers. */

const folder = z.string().meta({ examples: ['k3v9q2m7x4tz8wpa'] })
const path = z.string().meta({ examples: ['docs/install.md'] })
const digest = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({
    description: 'SHA-256 of the fields as canonical JSON (RFC 8785), or of the bytes of a file.',
    examples: ['fdee430d40bd57deeac186cd9790033d0f06f909a8806e7ce6e717ab7c7d5029'],
  })
const fields = z.record(z.string(), z.string()).meta({
  description: 'The first 16 hex digits of the digest of each field that was pushed. Empty for a file.',
  examples: [{ title: 'fdee430d40bd57de' }],
})
const revision = z
  .string()
  .nullable()
  .meta({ description: 'The commit of the folder; null without Git.', examples: [null] })
const name = z.string().meta({ examples: ['My site'] })

/** The source of a page or an asset. */
export const source = z
  .strictObject({ folder, path, digest, fields, revision, pushed_at: moment })
  .nullable()
  .meta({
    description: 'The file of a content folder that it was last pushed from; null for none.',
    examples: [null],
  })

export const SourceList = z.strictObject({
  data: z.array(
    z
      .strictObject({
        path,
        record: z.enum(SOURCE_RECORDS),
        id: z.string().meta({ examples: ['page_k3v9q2m7x4tz8wpa'] }),
        digest: digest.nullable().meta({ description: 'Of what was pushed; null for settings.' }),
        fields,
        current: digest
          .nullable()
          .meta({ description: 'Of the values that are stored now; null for settings.' }),
        created: z.boolean().meta({ description: 'Whether a push of the folder created the record.' }),
        version: z
          .int()
          .nullable()
          .meta({ description: 'For `If-Match`: `"{version}-"`. Null for settings.', examples: [3] }),
        type: z.enum(PAGE_TYPES).nullable(),
        status: z.enum(PAGE_STATUSES).nullable(),
        url: z
          .string()
          .nullable()
          .meta({ examples: ['/docs/install'] }),
        scheduled_at: moment.nullable().meta({ examples: [null] }),
        has_unpublished_changes: z.boolean().nullable(),
        stale: z
          .array(z.enum(STALE_REASONS))
          .nullable()
          .meta({ examples: [[]] }),
      })
      .meta({ id: 'PushedRecord', description: 'What only pages have is null in others.' }),
  ),
  meta: z.strictObject({ ...listMeta, limit: z.int().min(1).max(1_000) }),
})

export const counts = z
  .strictObject(Object.fromEntries(PUSH_COUNTS.map((count) => [count, z.int().min(0).optional()])))
  .meta({ id: 'PushCounts' })

const push = z
  .strictObject({
    id: prefixedId('psh'),
    project_id: prefixedId('proj'),
    folder,
    name,
    revision,
    committed_at: moment.nullable(),
    state: z.enum(PUSH_STATES),
    counts,
    user_id: prefixedId('usr'),
    started_at: moment,
    expires_at: moment.meta({
      description: 'A running push that reports nothing until then has ended.',
    }),
    finished_at: moment.nullable(),
  })
  .meta({ id: 'Push' })

export const PushList = z.strictObject({ data: z.array(push), meta: z.strictObject(listMeta) })
export const ReportedPush = enveloped(push)

export const StartedPush = enveloped(
  z
    .strictObject({
      id: prefixedId('psh'),
      expires_at: moment,
      previous: z
        .strictObject({
          name,
          revision,
          committed_at: moment.nullable(),
          finished_at: moment.nullable(),
        })
        .nullable()
        .meta({ description: 'The push of the folder before this one; null for the first one.' }),
    })
    .meta({ id: 'StartedPush' }),
)
