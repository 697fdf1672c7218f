import { ACTS, AUDIT_TARGETS, type AuditEntry, type AuditState } from '../domain/audit.ts'
import { prefixed } from '../domain/ids.ts'

/** A row of the audit log as the API shows it. */
export function presentAuditEntry(entry: AuditEntry) {
  const { id, createdAt, act, projectId, target, actor, before, after, fields, reason, count } = entry
  const type = ACTS[act].target
  const { via, userId, jobId, clientAddress, requestId } = actor
  return {
    id: prefixed('aud', id),
    created_at: createdAt,
    act,
    project_id: projectId === null ? null : prefixed('proj', projectId),
    target: { type, id: `${AUDIT_TARGETS[type]}_${target}` },
    actor: {
      type: via.kind,
      user_id: userId === undefined ? null : prefixed('usr', userId),
      credential_id: credentialOf(via),
      job_id: jobId === undefined ? null : prefixed('job', jobId),
      client_address: clientAddress ?? null,
      request_id: requestId ?? null,
    },
    before: before && presentState(before),
    after: after && presentState(after),
    fields,
    reason,
    count,
  }
}

function credentialOf(via: AuditEntry['actor']['via']): string | null {
  if (via.kind === 'key') return prefixed('key', via.id)
  return via.kind === 'session' ? prefixed('ses', via.id) : null
}

function presentState({ version, releaseId, digest }: AuditState) {
  return {
    version: version ?? null,
    release_id: releaseId === undefined ? null : prefixed('rel', releaseId),
    digest: digest ?? null,
  }
}
