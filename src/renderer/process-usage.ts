import { readFileSync } from 'node:fs'

export interface ProcessUsage {
  /** CPU time since the process began, in milliseconds. */
  readonly cpuMs: number
  /** Memory that is in use, in bytes. */
  readonly memory: number
}

/** Linux counts CPU time for `/proc` in hundredths of a second, whatever its own clock does. */
const MS_PER_TICK = 10

/** What a running process uses; null where the system has no `/proc`, and when it has ended. Source: proc(5). */
export function processUsage(pid: number): ProcessUsage | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The second field is the program's name in brackets and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [user, system] = [fields[11], fields[12]]
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
    return {
      cpuMs: (Number(user) + Number(system)) * MS_PER_TICK,
      memory: Number(kilobytes ?? 0) * 1024,
    }
  } catch {
    // Nobody can be told how a process did that is gone.
    return null
  }
}
