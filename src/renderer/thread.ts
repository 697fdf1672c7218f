import { parentPort, workerData } from 'node:worker_threads'
import type { Artifact } from '../domain/artifact.ts'
import type { LivePage } from '../domain/live-page.ts'
import type { Settings } from '../domain/settings.ts'
import { toReply } from '../platform/reply.ts'
import { compileOnUse } from '../theme/compile-templates.ts'
import { loadThemes } from '../theme/load-theme.ts'
import { createInProcessRenderer } from './in-process.ts'
import type { RenderReply } from './protocol.ts'
import type { ThreadData, ThreadMessage, ThreadReply, ThreadRequest } from './render-thread.ts'
import type { TimedPage } from './renderer.ts'
import { createSpill, spillPage } from './spilled-artifacts.ts'
import { createThemeFiles } from './theme-files.ts'
import { timedPage } from './timed-page.ts'
import { cachedHighlighting } from './token-cache-file.ts'

/** The program of a worker thread: loads the themes, then renders batches of pages in the order they arrive. */
export async function renderInThread(): Promise<void> {
  const { folders, spillFolder, tokenCache } = workerData as ThreadData
  const themes = await loadThemes(folders, compileOnUse)
  const spill = spillFolder === null ? (artifact: Artifact) => artifact : createSpill(spillFolder)
  const renderer = createInProcessRenderer(themes, cachedHighlighting(tokenCache))
  const files = createThemeFiles(themes)
  let settings: Settings | null = null
  let last = Promise.resolve()
  parentPort?.on('message', (batch: readonly ThreadRequest[]) => {
    last = last.then(() => renderBatch(batch))
  })
  send(new Map([...themes].map(([name, { digest }]) => [name, digest])))

  async function renderBatch(batch: readonly ThreadRequest[]): Promise<void> {
    const rendered: RenderReply<TimedPage>[] = []
    for (const request of batch) {
      settings = request.settings ?? settings
      const live = { ...request.live, settings } as LivePage
      rendered.push(await toReply(() => timedPage(renderer, live)))
    }
    const replies: ThreadReply[] = []
    for (const reply of rendered) {
      if (!('value' in reply)) replies.push(reply)
      else replies.push(await toReply(async () => spillPage(reply.value, leave)))
    }
    send(replies)
  }

  function leave(artifact: Artifact): Artifact {
    const left = spill(files.without(artifact))
    // A copy: with a view all of the memory that it is a part of would be sent.
    return left.spilled === undefined ? { ...left, body: new Uint8Array(left.body) } : left
  }
}

function send(message: ThreadMessage): void {
  parentPort?.postMessage(message)
}
