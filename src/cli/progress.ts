/** Called after each step of something long. */
export type Progress = (done: number, total: number) => void

/** On a terminal, one line on standard error that counts up, and is gone when it is done; elsewhere nothing. */
export function progressOf(what: string): Progress {
  if (!process.stderr.isTTY || process.env['TERM'] === 'dumb') return () => {}
  return (done, total) => {
    process.stderr.write(done === total ? '\r\u001b[K' : `\r${what} ${done}/${total}`)
  }
}
