import { Worker } from 'node:worker_threads'

const CHECK_INTERVAL_MS = 1_000
/** V8's defaults are larger than this thread needs. */
const SMALL_HEAP = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 }
/** Source text, so that no file has to be found at run time. */
const WATCH = `
  const { workerData } = require('node:worker_threads')
  setInterval(() => {
    if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL')
  }, ${CHECK_INTERVAL_MS})`

/**
 * Kills this process when its parent has ended, even while it renders: without the parent nothing limits a page.
 * Has no effect on systems that keep reporting the id of an ended parent.
 */
export function startParentWatchdog(): void {
  const thread = new Worker(WATCH, { eval: true, workerData: process.ppid, resourceLimits: SMALL_HEAP })
  // Without the thread, pages are rendered all the same.
  thread.on('error', () => {})
  thread.unref()
}
