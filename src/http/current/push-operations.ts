import { z } from 'zod'
import { PUSH_RETENTION_DAYS } from '../../domain/push.ts'
import { idParam, idRef } from '../answer-fields.ts'
import { ListPushes, ListSources, ReportPush, StartPush } from '../bodies/push-schemas.ts'
import { folderIdentity } from '../bodies/source-schemas.ts'
import { requestBody } from '../openapi/body.ts'
import { json, type Operation } from '../openapi/operation.ts'
import { PushList, ReportedPush, SourceList, StartedPush } from './push-answers.ts'

const project = idParam('proj')

/** Descriptions of the operations on pushes of content folders, which `push-routes.ts` implements. */
export const PUSH_OPERATIONS: readonly Operation[] = [
  {
    id: 'listSources',
    method: 'get',
    path: '/projects/{id}/sources/{folder}',
    tag: 'Pushes',
    summary: 'List what a content folder pushed',
    description:
      'The pages, assets and settings that were last pushed from the folder, by path: with the digests of the last push, and of the values that are stored now. A page whose `current` differs from its `digest` was edited on the server.',
    params: z.object({ id: idRef('proj'), folder: folderIdentity }),
    query: ListSources,
    answers: [json(200, 'The records.', SourceList)],
  },
  {
    id: 'listPushes',
    method: 'get',
    path: '/projects/{id}/pushes',
    tag: 'Pushes',
    summary: 'List the pushes to a project',
    description: `Newest first. Stored for ${PUSH_RETENTION_DAYS} days, the last push of each folder for longer.`,
    params: project,
    query: ListPushes,
    answers: [json(200, 'The pushes.', PushList)],
  },
  {
    id: 'startPush',
    method: 'post',
    path: '/projects/{id}/pushes',
    tag: 'Pushes',
    summary: 'Begin a push',
    description:
      'One push of a folder to a project runs at a time: another one is refused with `conflict` until it ends, or reports nothing for 3 minutes.',
    params: project,
    body: {
      schema: requestBody(StartPush, { id: 'StartPush' }),
      required: true,
      example: { folder: 'k3v9q2m7x4tz8wpa', name: 'My site', revision: null, committed_at: null },
    },
    answers: [json(201, 'The push.', StartedPush)],
    errors: ['conflict'],
  },
  {
    id: 'reportPush',
    method: 'put',
    path: '/pushes/{id}',
    tag: 'Pushes',
    summary: 'Report the progress or the end of a push',
    description: 'Each report extends the push by 3 minutes. One that has ended takes none.',
    params: idParam('psh'),
    body: {
      schema: requestBody(ReportPush, { id: 'ReportPush' }),
      required: true,
      example: { state: 'done', counts: { created: 2, updated: 1 } },
    },
    answers: [json(200, 'The push.', ReportedPush)],
    errors: ['project_scope_violation', 'conflict'],
  },
]
