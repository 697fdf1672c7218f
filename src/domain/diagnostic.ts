import { DIAGNOSTIC_CODES, type DiagnosticCode, type Severity } from './diagnostic-codes.ts'

/** An error or warning about one file of a content folder, a theme or another generator's site. */
export interface Diagnostic extends FilePosition {
  /** An error stops the command. A warning does not. */
  readonly severity: Severity
  /** Stable and documented, e.g. `QN-DEADLINK`. */
  readonly code: DiagnosticCode
  /**
   * Relative to the folder that the command reads, with forward slashes. Types that extend this one may say otherwise.
   */
  readonly file: string
  /** The path of the field, e.g. `nav_links[2].href`. Null for an error outside fields. */
  readonly field: string | null
  /** One or more sentences. They make sense without `field`. */
  readonly message: string
}

export interface FilePosition {
  /** From 1. Null when the diagnostic concerns the whole file, or when its line is unknown. */
  readonly line: number | null
  /** From 1. Null when only the line is known. */
  readonly column: number | null
}

/** A diagnostic with the severity of its code. Without a position it concerns the whole file. */
export function diagnostic(
  code: DiagnosticCode,
  file: string,
  message: string,
  { line = null, column = null, field = null }: Partial<Pick<Diagnostic, 'line' | 'column' | 'field'>> = {},
): Diagnostic {
  return { severity: DIAGNOSTIC_CODES[code].severity, code, file, line, column, field, message }
}

/** Sorts diagnostics by file, line and column. Those of a whole file come first. */
export function byPosition(a: Diagnostic, b: Diagnostic): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
}

/** An error in a text whose file is not known yet, as a parser reports it. */
export interface ParseIssue {
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
  readonly message: string
}

/** A warning about a page, as rendering and publishing report it: a server knows no file. */
export interface PageWarning {
  readonly code: DiagnosticCode
  /** The path of the field in the page, e.g. `config.sections[2]`. Null when the warning concerns the whole page. */
  readonly at: string | null
  readonly message: string
  /** The text that the warning is about, as the author wrote it. Clients find its line in a file with it. */
  readonly written?: string
}
