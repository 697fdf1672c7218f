// The program of a thread that looks at a large site that was built, while the one that builds looks at the content.
import { parentPort, workerData } from 'node:worker_threads'
import { isOutAsLeft, lastLook } from '../site-build/incremental/change-detection.ts'
import type { AskedBeside } from '../site-build/incremental/output-check.ts'

const { out } = workerData as AskedBeside
parentPort?.postMessage(isOutAsLeft(out, lastLook(out)))
