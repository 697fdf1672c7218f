// The program of a thread that renders beside the one that builds.
import { loadCompiled } from './load-program.ts'

const { workInThread } = await loadCompiled()
await workInThread()
