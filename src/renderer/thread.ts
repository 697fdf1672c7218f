import { performance } from 'node:perf_hooks'
import { parentPort, workerData } from 'node:worker_threads'
import type { Artifact } from '../domain/artifact.ts'
import type { LivePage } from '../domain/live-page.ts'
import type { Settings } from '../domain/settings.ts'
import { compileAsUsed } from '../theme/compile-templates.ts'
import type { ThemeFolders } from '../theme/list-themes.ts'
import { loadThemes } from '../theme/load-theme.ts'
import { createInProcessRenderer } from './in-process.ts'
import { type RenderReply, replyOf, type ThreadRequest } from './protocol.ts'
import { createSpool, type Spooled } from './spool.ts'
import { createThemeFiles } from './theme-files.ts'

/** What a thread beside the one that builds does: load the themes, then render one page after the other. */
export async function renderInThread(): Promise<void> {
  // Compiled by whoever called, who looks whether they are the same.
  const { folders, spool } = workerData as { folders: ThemeFolders; spool: string | null }
  const themes = await loadThemes(folders, compileAsUsed)
  const spooled = spool === null ? null : createSpool(spool)
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
      const artifacts = rendered.artifacts.map((artifact) => toldOf(spooled?.(artifact) ?? artifact))
      given = artifacts.flatMap((artifact) =>
        'body' in artifact ? [artifact.body.buffer as ArrayBuffer] : [],
      )
      return { ...rendered, ms, artifacts }
    })
    say(reply, given)
  }

  /** What another page may have too stays here: its memory would be gone with the first of them. */
  function toldOf(artifact: Artifact | Spooled): Artifact | Spooled {
    if (!('body' in artifact)) return artifact
    const file = files.without(artifact)
    return { ...file, body: new Uint8Array(file.body) }
  }
}

/** @param given is no longer this thread's own. */
function say(reply: RenderReply, given: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(reply, given)
}
