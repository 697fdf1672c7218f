/*
 * What is compiled when Quoin is built, so that no build of a site has to do it again.
 */
export { buildAnew, readAhead } from './build-anew.ts'
export { renderInThread } from './renderer/thread.ts'
