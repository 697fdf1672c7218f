/*
 * What is compiled when Quoin is built, so that no build of a site has to do it again.
 */
import { indexInThread } from './build/index-in-thread.ts'
import { renderInThread } from './renderer/thread.ts'

export { buildAnew, readAhead } from './build-anew.ts'

/** Renders for whoever builds, and makes the search index. */
export function workInThread(): Promise<void> {
  return renderInThread(indexInThread())
}
