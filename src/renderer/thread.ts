import { performance } from 'node:perf_hooks'
import { parentPort, workerData } from 'node:worker_threads'
import type { LivePage } from '../domain/live-page.ts'
import type { Settings } from '../domain/settings.ts'
import { compileAsUsed } from '../theme/compile-templates.ts'
import type { ThemeFolders } from '../theme/list-themes.ts'
import { loadThemes } from '../theme/load-theme.ts'
import { createInProcessRenderer } from './in-process.ts'
import { type RenderReply, replyOf, type ThreadRequest } from './protocol.ts'
import { createThemeFiles } from './theme-files.ts'

/** What a thread beside the one that builds does: load the themes, then render one page after the other. */
export async function renderInThread(): Promise<void> {
  // Compiled by whoever called, who looks whether they are the same.
  const themes = await loadThemes(workerData as ThemeFolders, compileAsUsed)
  const here = createInProcessRenderer(themes)
  const files = createThemeFiles(themes)
  let known: Settings | null = null
  let last = Promise.resolve()
  parentPort?.on('message', (request: ThreadRequest) => {
    last = last.then(() => answer(request))
  })
  say({ ready: [...themes].map(([name, { digest }]) => [name, digest]) })

  async function answer({ call, live: page, settings }: ThreadRequest): Promise<void> {
    known = settings ?? known
    const live = { ...page, settings: known } as LivePage
    let given: readonly ArrayBuffer[] = []
    const reply = await replyOf(async () => {
      if (call === 'feedEntry') return here.feedEntry(live)
      const began = performance.now()
      const rendered = await here.renderPage(live)
      const ms = performance.now() - began
      // What another page may have too stays here: its memory would be gone with the first of them.
      const artifacts = files
        .without(rendered.artifacts)
        .map((file) => ({ ...file, body: new Uint8Array(file.body) }))
      given = artifacts.map(({ body }) => body.buffer)
      return { ...rendered, ms, artifacts }
    })
    say(reply, given)
  }
}

/** @param given is no longer this thread's own. */
function say(reply: RenderReply, given: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(reply, given)
}
