import { AUDIT_RETENTION_DAYS } from '../../domain/audit.ts'
import type { AuditLogService } from '../../services/audit/audit-log.ts'
import { idParam } from '../answer-fields.ts'
import { ListAudit, toAuditQuery } from '../bodies/audit-schemas.ts'
import { type Endpoint, endpointsWith } from '../endpoint.ts'
import { sliceOf, walked } from '../list-walk.ts'
import { json } from '../openapi/operation.ts'
import { presentAuditEntry } from '../present-audit.ts'
import { AuditList } from './audit-answers.ts'

export interface AuditOperationPorts {
  readonly auditLog: AuditLogService
}

const endpoint = endpointsWith<AuditOperationPorts>()

const RULES = [
  'Needs the permission `manage`.',
  'Each change writes its row in the transaction of the change; publishes write it when the page goes live. A request that changes nothing writes none.',
  'Refused sign-ins of an account are counted: one row for each address and reason in ten minutes.',
  `Rows name records, versions, releases, digests and fields, never values, and are stored for ${AUDIT_RETENTION_DAYS} days.`,
].join(' ')

export const AUDIT_OPERATIONS: readonly Endpoint<AuditOperationPorts>[] = [
  endpoint({
    id: 'listProjectAudit',
    method: 'get',
    path: '/projects/{id}/audit',
    tag: 'Account',
    summary: 'List what was done to a project',
    client: 'projects.audit',
    permission: 'manage',
    description: `The audit log of a project, newest first. ${RULES}`,
    params: idParam('proj'),
    query: ListAudit,
    answers: [json(200, 'The rows.', AuditList)],
    async run({ caller, query, param, walk }, { auditLog }) {
      const slice = sliceOf(walk, query)
      const found = await auditLog.ofProject(caller, param('id'), toAuditQuery(query), slice)
      return walked(walk, slice, found, presentAuditEntry)
    },
  }),
  endpoint({
    id: 'listAudit',
    method: 'get',
    path: '/users/me/audit',
    tag: 'Account',
    summary: 'List what was done in the account',
    client: 'users.audit',
    permission: 'manage',
    description: `The audit log of the account with all of its projects, deleted ones too, newest first. A key of one project sees the rows of that project. ${RULES}`,
    query: ListAudit,
    answers: [json(200, 'The rows.', AuditList)],
    async run({ caller, query, walk }, { auditLog }) {
      const slice = sliceOf(walk, query)
      const found = await auditLog.ofAccount(caller, toAuditQuery(query), slice)
      return walked(walk, slice, found, presentAuditEntry)
    },
  }),
]
