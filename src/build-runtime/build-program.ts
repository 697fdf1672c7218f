/* The modules that `load-program.ts` loads as one precompiled script. */

export { renderInThread } from '../renderer/thread.ts'
export { runBuild } from './run-build.ts'
