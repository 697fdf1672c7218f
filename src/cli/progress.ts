/** Called after each step of a long operation. */
export type Progress = (done: number, total: number) => void

/** Updates one line on standard error and removes it at the end. Does nothing outside of a terminal. */
export function progressOf(what: string): Progress {
  if (!process.stderr.isTTY || process.env['TERM'] === 'dumb') return () => {}
  return (done, total) => {
    process.stderr.write(done === total ? '\r\u001b[K' : `\r${what} ${done}/${total}`)
  }
}
