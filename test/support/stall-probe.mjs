// Preloaded into a service (`node --import`): measures how long its main thread is busy without a pause. Every message
// from the parent process is answered with the longest stretch since the last one, and starts the next measurement.
import { openSync, readSync } from 'node:fs'
import { performance } from 'node:perf_hooks'

const EVERY_MS = 2

const statistics = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
const text = Buffer.alloc(64)

let cpuAt = cpuMs()
let wallAt = performance.now()
let longest = { cpuMs: 0, wallMs: 0 }

setInterval(() => {
  const cpu = cpuMs()
  const wall = performance.now()
  longest = {
    // A thread that waits for a processor takes no CPU time, so that a busy machine does not look like a stall.
    cpuMs: Math.max(longest.cpuMs, cpu - cpuAt),
    wallMs: Math.max(longest.wallMs, wall - wallAt),
  }
  cpuAt = cpu
  wallAt = wall
}, EVERY_MS).unref()

process.on('message', () => {
  process.send(longest)
  longest = { cpuMs: 0, wallMs: 0 }
})
process.channel.unref()

/** CPU time of the main thread. */
function cpuMs() {
  const length = readSync(statistics, text, 0, text.length, 0)
  return Number(text.toString('latin1', 0, length).split(' ', 1)[0]) / 1e6
}
