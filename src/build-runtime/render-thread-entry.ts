// The program of a worker thread that renders pages for a build.
import { loadBuildProgram } from './load-program.ts'

const { renderInThread } = await loadBuildProgram()
await renderInThread()
