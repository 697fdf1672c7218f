// Preloaded into a service (`NODE_OPTIONS=--import`): writes the p99 of the delay of its event loop to a file, in
// milliseconds, a line for each second.
import { appendFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const file = process.env.QUOIN_BENCH_EVENT_LOOP
// Children of the service inherit the option.
if (file !== undefined && process.argv[2] === 'serve') {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  setInterval(() => {
    appendFileSync(file, `${delay.percentile(99) / 1e6}\n`)
    delay.reset()
  }, 1_000).unref()
}
