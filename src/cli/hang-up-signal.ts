import { closeSync, openSync } from 'node:fs'
import { isatty } from 'node:tty'

/** Calls the function at each SIGHUP, and keeps the process running. A process whose terminal was closed is ended. */
export function onHangUp(act: () => void): void {
  const isInTerminal = isatty(0)
  process.on('SIGHUP', () => {
    if (isInTerminal && !hasTerminal()) process.kill(process.pid, 'SIGTERM')
    else act()
  })
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}
