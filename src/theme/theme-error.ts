/** A theme that cannot be used. The message names the file and, where there is one, the line. */
export class ThemeError extends Error {
  override readonly name = 'ThemeError'
  readonly file: string
  /** From 1; null when the fault is the file as a whole. */
  readonly line: number | null

  constructor(fault: { file: string; line: number | null; message: string }, options?: ErrorOptions) {
    const place = fault.line === null ? fault.file : `${fault.file}:${fault.line}`
    super(`${place}: ${fault.message}`, options)
    this.file = fault.file
    this.line = fault.line
  }
}
