import { size } from './format-numbers.ts'

type What = 'check' | 'database' | 'rows' | 'files' | 'media'

const INTERVAL_MS = 2_000

/** Prints the progress of long work on standard error every few seconds. */
export function backupProgress(): (what: What, done: number, total: number) => void {
  let next = Date.now() + INTERVAL_MS
  return (what, done, total) => {
    if (Date.now() < next) return
    next = Date.now() + INTERVAL_MS
    console.error(LINES[what](done, total))
  }
}

const LINES: Readonly<Record<What, (done: number, total: number) => string>> = {
  check: (done, total) => `${done} of ${total} parts of the backup checked`,
  database: (done, total) => `${size(done)} of ${size(total)} of the database copied`,
  rows: (done, total) => `${done} of ${total} rows of the database copied`,
  files: (done, total) => `${done} of ${total} published files copied`,
  media: (done, total) => `${done} of ${total} uploads copied`,
}
