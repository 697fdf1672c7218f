/*
 * What is compiled when Quoin is built, so that no build of a site has to do it again.
 */

export { renderInThread } from '../renderer/thread.ts'
export { buildAnew } from './run-build.ts'
