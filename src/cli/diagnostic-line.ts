import type { Diagnostic } from '../domain/diagnostic.ts'
import { DIAGNOSTIC_CODES } from '../domain/diagnostic-codes.ts'

type LineParts = Pick<Diagnostic, 'file' | 'line' | 'message' | 'code'> & Partial<Pick<Diagnostic, 'column'>>

/** One line of text output, e.g. `docs/a.md:3:1: error QN-UNKNOWN-FIELD Unknown field "tags".` Editors link the position. */
export function diagnosticLine({ file, line, column = null, code, message }: LineParts): string {
  const position = [file, line, column].filter((part) => part !== null).join(':')
  return `${position}: ${DIAGNOSTIC_CODES[code].severity} ${code} ${message}`
}
