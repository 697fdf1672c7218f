import { CHANGE_RECORDS, CHANGE_RETENTION_DAYS, type Change } from '../../domain/change.ts'
import { prefixed } from '../../domain/ids.ts'
import { type Project, type PublicAddresses, siteOrigin } from '../../domain/project.ts'
import { urlPath } from '../../domain/route.ts'
import type { ChangeService } from '../../services/changes/changes.ts'
import { idParam } from '../answer-fields.ts'
import { ListChanges, toChangeQuery } from '../bodies/change-schemas.ts'
import { type Endpoint, endpointsWith } from '../endpoint.ts'
import { json } from '../openapi/operation.ts'
import { ChangeList } from './change-answers.ts'

export interface ChangeOperationPorts {
  readonly changes: ChangeService
  readonly addresses: PublicAddresses
}

const endpoint = endpointsWith<ChangeOperationPorts>()

export const CHANGE_OPERATIONS: readonly Endpoint<ChangeOperationPorts>[] = [
  endpoint({
    id: 'listChanges',
    method: 'get',
    path: '/projects/{id}/changes',
    tag: 'Projects',
    summary: 'List what changed in a project',
    client: 'projects.changes',
    description: [
      'Changes of pages, settings, assets and redirects of a project and of the project itself, oldest first, each at least once. They name records and fields, never values: read a record to learn what it is now.',
      `The newest change of each record stays as long as the project, also that of a deleted one; others for ${CHANGE_RETENTION_DAYS} days. So a position never expires.`,
      'After `gone`, begin again: the position is of another project, or the database was restored from a backup.',
    ].join(' '),
    params: idParam('proj'),
    query: ListChanges,
    answers: [json(200, 'The changes.', ChangeList)],
    errors: ['gone'],
    async run({ caller, query, param }, { changes, addresses }) {
      const found = await changes.list(caller, param('id'), toChangeQuery(query))
      return {
        body: {
          data: found.changes.map((change) => presentChange(change, found.project, addresses)),
          meta: { next: found.next, has_more: found.hasMore },
        },
      }
    },
  }),
]

function presentChange(change: Change, project: Project, addresses: PublicAddresses) {
  const { seq, at, record, id, act, isDeleted, version, status, releaseId, path, formerPath, fields } = change
  const urlOf = (path: string | null) =>
    path === null ? null : siteOrigin(project, addresses) + urlPath(path)
  return {
    seq,
    at,
    record,
    id: `${CHANGE_RECORDS[record]}_${id}`,
    act,
    deleted: isDeleted,
    version,
    status,
    release_id: releaseId === null ? null : prefixed('rel', releaseId),
    url: urlOf(path),
    former_url: formerPath === path ? null : urlOf(formerPath),
    set_id: null,
    fields,
  }
}
