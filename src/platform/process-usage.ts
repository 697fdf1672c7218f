import { readFileSync } from 'node:fs'

export interface ProcessUsage {
  /** CPU time since the process started, in milliseconds. */
  readonly cpuMs: number
  /** Resident memory, in bytes. */
  readonly memory: number
}

/** Linux reports CPU time in `/proc` in hundredths of a second, independently of its kernel's timer frequency. */
const MS_PER_TICK = 10

/** Reads what a process uses. Null if the process has ended or the system has no `/proc`. Source: proc(5). */
export function processUsage(pid: number): ProcessUsage | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The second field is the program's name in brackets and may contain spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [user, system] = [fields[11], fields[12]]
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
    return {
      cpuMs: (Number(user) + Number(system)) * MS_PER_TICK,
      memory: Number(kilobytes ?? 0) * 1024,
    }
  } catch {
    return null
  }
}
