import { performance } from 'node:perf_hooks'
import { parentPort, workerData } from 'node:worker_threads'
import type { Artifact } from '../domain/artifact.ts'
import type { LivePage } from '../domain/live-page.ts'
import type { Settings } from '../domain/settings.ts'
import type { FeedEntry } from '../domain/site-lines.ts'
import { compileAsUsed } from '../theme/compile-templates.ts'
import type { ThemeFolders } from '../theme/list-themes.ts'
import { loadThemes } from '../theme/load-theme.ts'
import { createInProcessRenderer } from './in-process.ts'
import { type RenderReply, replyOf, type ThreadMessage, type ThreadRequest } from './protocol.ts'
import type { TimedPage } from './renderer.ts'
import { createSpool, SPOOLED_AT_ONCE, type Spooled, spooledPage } from './spilled-artifacts.ts'
import { createThemeFiles } from './theme-files.ts'

type Made = TimedPage | FeedEntry | null

/** Runs in a worker thread: loads the themes, then renders the pages that the main thread sends, in order. */
export async function renderInThread(): Promise<void> {
  // Compiled by whoever called, who looks whether they are the same.
  const { folders, spool } = workerData as { folders: ThemeFolders; spool: string | null }
  const themes = await loadThemes(folders, compileAsUsed)
  const spooled = spool === null ? null : createSpool(spool)
  const here = createInProcessRenderer(themes)
  const files = createThemeFiles(themes)
  let known: Settings | null = null
  let last = Promise.resolve()
  /** How many are not rendered yet, and answers to those that are. */
  let asked = 0
  let made: RenderReply<Made>[] = []
  parentPort?.on('message', (message: ThreadMessage) => {
    asked += message.length
    for (const request of message) last = last.then(() => answer(request))
  })
  say([{ ready: [...themes].map(([name, { digest }]) => [name, digest]) }])

  async function answer({ call, live: page, settings }: ThreadRequest): Promise<void> {
    known = settings ?? known
    const live = { ...page, settings: known } as LivePage
    made.push(await replyOf<Made>(() => (call === 'feedEntry' ? here.feedEntry(live) : rendered(live))))
    asked -= 1
    if (spooled === null || asked === 0 || made.length >= SPOOLED_AT_ONCE) await tellMade()
  }

  async function tellMade(): Promise<void> {
    const told = []
    for (const reply of made) told.push(await toldReply(reply))
    made = []
    say(
      told.map(({ reply }) => reply),
      told.flatMap(({ given }) => given),
    )
  }

  async function rendered(live: LivePage): Promise<TimedPage> {
    const began = performance.now()
    const page = await here.renderPage(live)
    return { ...page, ms: performance.now() - began }
  }

  async function toldReply(
    reply: RenderReply<Made>,
  ): Promise<{ reply: RenderReply; given: readonly ArrayBuffer[] }> {
    if (!('value' in reply) || reply.value === null || !('artifacts' in reply.value))
      return { reply, given: [] }
    const { value } = reply
    let given: readonly ArrayBuffer[] = []
    const told = await replyOf(async () => {
      const page = spooled === null ? value : spooledPage(value, spooled)
      const artifacts = page.artifacts.map(toldOf)
      given = artifacts.flatMap((artifact) =>
        'body' in artifact ? [artifact.body.buffer as ArrayBuffer] : [],
      )
      return { ...page, artifacts }
    })
    return { reply: told, given }
  }

  /** What another page may have too stays here: its memory would be gone with the first of them. */
  function toldOf(artifact: Artifact | Spooled): Artifact | Spooled {
    if (!('body' in artifact)) return artifact
    const file = files.without(artifact)
    return { ...file, body: new Uint8Array(file.body) }
  }
}

/** @param given is no longer this thread's own. */
function say(replies: readonly RenderReply[], given: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(replies, given)
}
