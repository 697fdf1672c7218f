import { z } from 'zod'
import { type PageId, readId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import {
  MAX_CONFLICT_BYTES,
  MAX_PUSH_CONFLICTS,
  PUSH_COUNTS,
  PUSH_STATES,
  type PushConflict,
} from '../../domain/push.ts'
import { projectName, timestamp } from '../../fields/values.ts'
import type { NewPush, PushReport } from '../../services/pushes/pushes.ts'
import { anyObject, idRef } from '../answer-fields.ts'
import { parseBody } from '../parse.ts'
import { walkedSlice } from '../query-fields.ts'
import { filePath, folderIdentity } from './source-schemas.ts'

const revision = z
  .string()
  .regex(/^[0-9a-f]{7,64}$/, 'must be the id of a commit: 7 to 64 hex digits in lower case.')
  .meta({ examples: ['1f0c2d3e4b5a69788796a5b4c3d2e1f00f1e2d3c'] })

export const StartPush = z.strictObject({
  folder: folderIdentity,
  name: projectName.meta({ description: 'The name of the site in the folder.', examples: ['My site'] }),
  revision: revision
    .nullable()
    .optional()
    .meta({ description: 'The commit of the folder; null without Git.' }),
  committed_at: timestamp.nullable().optional().meta({ description: 'When that commit was made.' }),
})

/** Fields of a page that a push sends, and a few more. */
const MAX_FIELDS = 32

const number = z.int().min(0).max(1_000_000).optional()

const fieldDigest = z
  .string()
  .regex(/^[0-9a-f]{16}$/, 'must be the first 16 hex digits of a digest.')
  .nullable()

const conflict = z
  .strictObject({
    page_id: idRef('page').refine((id) => readId('page', id) !== null, 'must be the id of a page.'),
    path: filePath,
    fields: z
      .record(z.string().max(64), fieldDigest)
      .refine((fields) => Object.keys(fields).length <= MAX_FIELDS, `must have at most ${MAX_FIELDS} fields.`)
      .meta({
        description: 'Digests of the differing fields in the file; null for a field without a value there.',
        examples: [{ title: 'fdee430d40bd57de' }],
      }),
    values: anyObject.nullable().meta({
      description: 'Values of these fields for `updatePage`; null when they are too large.',
      examples: [{ title: 'Install Quoin' }],
    }),
  })
  .meta({ id: 'PushConflict' })

export const ReportPush = z.strictObject({
  state: z.enum(PUSH_STATES),
  counts: z
    .strictObject(Object.fromEntries(PUSH_COUNTS.map((name) => [name, number])))
    .optional()
    .meta({ description: 'Numbers of pages so far.', examples: [{ created: 2, updated: 1 }] }),
  conflicts: z
    .array(conflict)
    .max(MAX_PUSH_CONFLICTS)
    .refine(
      (conflicts) => Buffer.byteLength(JSON.stringify(conflicts)) <= MAX_CONFLICT_BYTES,
      `must have at most ${MAX_CONFLICT_BYTES} bytes in all.`,
    )
    .optional()
    .meta({
      description:
        'With `done`: pages with edits both in their files and on the server. The push did not change them. The list replaces that of the previous push of the folder.',
      examples: [[]],
    }),
})

export const ListPushes = z.object({
  ...walkedSlice(25),
  folder: folderIdentity.optional().meta({ description: 'Only pushes of this folder.' }),
})
export const ListSources = z.object(walkedSlice(100, 1_000))

/** @throws {ServiceError} that names every invalid field. */
export function readStartPush(body: JsonObject): NewPush {
  const { folder, name, revision = null, committed_at: committedAt = null } = parseBody(StartPush, body)
  return { folder, name, revision, committedAt }
}

/** @throws {ServiceError} that names every invalid field. */
export function readReportPush(body: JsonObject): PushReport {
  const { state, counts = {}, conflicts = [] } = parseBody(ReportPush, body)
  return { state, counts, conflicts: conflicts.flatMap(readConflict) }
}

function readConflict({ page_id, path, fields, values }: z.output<typeof conflict>): PushConflict[] {
  const pageId: PageId | null = readId('page', page_id)
  return pageId === null ? [] : [{ pageId, path, fields, values: values as JsonObject | null }]
}
