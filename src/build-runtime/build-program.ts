/*
 * What is compiled when Quoin is built, so that no build of a site has to do it again.
 */

import { renderInThread } from '../renderer/thread.ts'
import { indexInThread } from '../site-build/search/index-in-thread.ts'

export { buildAnew, readAhead } from './run-build.ts'

/** Renders for whoever builds, and makes the search index. */
export function workInThread(): Promise<void> {
  return renderInThread(indexInThread())
}
