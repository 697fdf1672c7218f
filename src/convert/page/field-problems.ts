import type { DiagnosticCode } from '../../domain/diagnostic-codes.ts'
import type { JsonValue } from '../../domain/json.ts'
import type { FieldProblem } from '../conversion.ts'

const MAX_QUOTED_LENGTH = 80

/** @param reason without a full stop. */
export function leftOut(field: string, reason: string): FieldProblem {
  return { code: 'QN-NOT-CONVERTED', field, message: `\`${field}\` is left out: ${reason}.` }
}

/** A value as a message shows it. */
export function quotedValue(value: JsonValue): string {
  return typeof value === 'string'
    ? JSON.stringify(value.slice(0, MAX_QUOTED_LENGTH))
    : JSON.stringify(value).slice(0, MAX_QUOTED_LENGTH)
}

/** A diagnostic about a field, reported once with the number of files that have it. */
export interface FieldNotice {
  readonly field: string
  readonly code: DiagnosticCode
  readonly message: string
}

export function unreadNotice(field: string): FieldNotice {
  return {
    field,
    code: 'QN-UNREAD-FIELD',
    message: `\`${field}\` is copied to \`config\`, where no template reads it.`,
  }
}

export function drawingNotice(field: string): FieldNotice {
  return {
    field,
    code: 'QN-NOT-CONVERTED',
    message: `\`${field}\` says how a page is drawn, and is left out.`,
  }
}

export function authorNotice(field: string): FieldNotice {
  return {
    field,
    code: 'QN-NOT-CONVERTED',
    message: `\`${field}\` is left out: only articles have an author.`,
  }
}

export function termNotice(field: string): FieldNotice {
  return {
    field,
    code: 'QN-PARTLY-CONVERTED',
    message: `\`${field}\` become tags: pages have no other terms.`,
  }
}
