/** A theme that cannot be used. The message names the file and, where there is one, the line. */
export class ThemeError extends Error {
  override readonly name = 'ThemeError'
  readonly file: string
  /** From 1; null when the fault is the file as a whole. */
  readonly line: number | null
  /** From 1; null when nothing narrower than the line is known. */
  readonly column: number | null
  /** Without the place. */
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
