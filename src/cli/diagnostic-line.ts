import type { Diagnostic } from '../domain/diagnostic.ts'

/** One line of text output, e.g. `docs/a.md:3: Unknown field "tags". [QN-UNKNOWN-FIELD]`. */
export function diagnosticLine({
  file,
  line,
  message,
  code,
}: Pick<Diagnostic, 'file' | 'line' | 'message' | 'code'>): string {
  return `${line === null ? file : `${file}:${line}`}: ${message} [${code}]`
}
