import { Worker } from 'node:worker_threads'

const LOOK_EVERY_MS = 1_000
/** By itself V8 takes more for a thread that has next to nothing to remember. */
const LITTLE = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 }
/** In one text, since a thread of so few lines needs no file that has to be found. */
const WATCH = `
  const { workerData } = require('node:worker_threads')
  setInterval(() => {
    if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL')
  }, ${LOOK_EVERY_MS})`

/**
 * Ends this process once the one that started it is gone, whatever it is at: a page might never end, and whoever kept
 * it within limits is not there any more. On a system that goes on naming a parent that is gone, nothing is noticed.
 */
export function startParentWatchdog(): void {
  const thread = new Worker(WATCH, { eval: true, workerData: process.ppid, resourceLimits: LITTLE })
  // Where no more threads can be had, pages are rendered all the same.
  thread.on('error', () => {})
  thread.unref()
}
