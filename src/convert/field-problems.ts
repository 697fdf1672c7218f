import type { FieldProblem } from './conversion.ts'

/** @param reason without a full stop. */
export function leftOut(field: string, reason: string): FieldProblem {
  return { code: 'QN-NOT-CONVERTED', field, message: `\`${field}\` is left out: ${reason}.` }
}
