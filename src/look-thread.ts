// The program of a thread that looks at a large site while the one that builds makes ready.
import { parentPort, workerData } from 'node:worker_threads'
import { sightOf } from './build/last-look.ts'
import { type Looked, type ToldSight, toldLook } from './build/look-beside.ts'

const { inputs, now } = workerData as Looked
const { look, isOutAsLeft } = sightOf(inputs, now)
const told: ToldSight = { look: look && toldLook(look), isOutAsLeft: isOutAsLeft() }
parentPort?.postMessage(told, told.look === null ? [] : [told.look.stamps.buffer as ArrayBuffer])
