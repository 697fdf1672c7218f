// The program of a thread that renders beside the one that builds.
import { loadCompiled } from './load-program.ts'

const { renderInThread } = await loadCompiled()
await renderInThread()
