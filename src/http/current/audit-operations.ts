import { AUDIT_RETENTION_DAYS } from '../../domain/audit.ts'
import { idParam } from '../answer-fields.ts'
import { ListAudit } from '../bodies/audit-schemas.ts'
import { json, type Operation } from '../openapi/operation.ts'
import { AuditList } from './audit-answers.ts'

const RULES = [
  'Needs the permission `manage`.',
  'Each change writes its row in the transaction of the change; publishes write it when the page goes live. A request that changes nothing writes none.',
  'Refused sign-ins of an account are counted: one row for each address and reason in ten minutes.',
  `Rows name records, versions, releases, digests and fields, never values, and are stored for ${AUDIT_RETENTION_DAYS} days.`,
].join(' ')

/** Descriptions of the operations on the audit log, which `audit-routes.ts` implements. */
export const AUDIT_OPERATIONS: readonly Operation[] = [
  {
    id: 'listProjectAudit',
    method: 'get',
    path: '/projects/{id}/audit',
    tag: 'Account',
    summary: 'List what was done to a project',
    description: `The audit log of a project, newest first. ${RULES}`,
    params: idParam('proj'),
    query: ListAudit,
    answers: [json(200, 'The rows.', AuditList)],
  },
  {
    id: 'listAudit',
    method: 'get',
    path: '/users/me/audit',
    tag: 'Account',
    summary: 'List what was done in the account',
    description: `The audit log of the account with all of its projects, deleted ones too, newest first. A key of one project sees the rows of that project. ${RULES}`,
    query: ListAudit,
    answers: [json(200, 'The rows.', AuditList)],
  },
]
