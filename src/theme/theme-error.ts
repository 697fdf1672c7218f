/** A theme that cannot be used. The message starts with the file and, if known, the line. */
export class ThemeError extends Error {
  override readonly name = 'ThemeError'
  readonly file: string
  /** From 1; null when the error concerns the whole file. */
  readonly line: number | null
  /** From 1; null when only the line is known. */
  readonly column: number | null
  /** The message without the position. */
  readonly reason: string

  constructor(
    fault: { file: string; line: number | null; column?: number | null; message: string },
    options?: ErrorOptions,
  ) {
    const place = fault.line === null ? fault.file : `${fault.file}:${fault.line}`
    super(`${place}: ${fault.message}`, options)
    this.file = fault.file
    this.line = fault.line
    this.column = fault.column ?? null
    this.reason = fault.message
  }
}

/** The diagnostic code of an error in a theme. @param file the one with the error. */
export function themeErrorCode(file: string): 'QN-BAD-TEMPLATE' | 'QN-BAD-THEME' {
  return file.endsWith('.eta') ? 'QN-BAD-TEMPLATE' : 'QN-BAD-THEME'
}
