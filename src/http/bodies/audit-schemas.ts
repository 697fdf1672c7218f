import { z } from 'zod'
import { ACT_NAMES } from '../../domain/audit.ts'
import { timestamp } from '../../fields/values.ts'
import type { AuditQuery } from '../../services/audit/audit-log.ts'
import { walkedSlice } from '../query-fields.ts'

export const ListAudit = z.object({
  ...walkedSlice(25),
  act: z
    .enum(ACT_NAMES, 'must be an act of the audit log, such as page.publish.')
    .optional()
    .meta({ description: 'Only rows of this act.' }),
  created_after: timestamp.optional(),
  created_before: timestamp.optional(),
})

export function toAuditQuery({ act, created_after, created_before }: z.output<typeof ListAudit>): AuditQuery {
  return {
    act: act ?? null,
    createdAfter: created_after ?? null,
    createdBefore: created_before ?? null,
  }
}
