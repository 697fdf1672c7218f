// The program of a child process: loads the themes, then renders the requests of its parent. Arguments: the folders of
// themes, templates and the token cache (or nothing), then the folder of each further theme.
import type { LivePage } from '../domain/live-page.ts'
import { toMeasuredReply } from '../platform/reply.ts'
import { compileOnUse } from '../theme/compile-templates.ts'
import { loadThemes } from '../theme/load-theme.ts'
import { createInProcessRenderer } from './in-process.ts'
import { createMessageInput, writeMessageSync } from './message-framing.ts'
import { startParentWatchdog } from './parent-watchdog.ts'
import {
  CHANNEL,
  decodeRequest,
  encodeReply,
  type RenderCall,
  type RenderRequest,
  type RenderResult,
} from './protocol.ts'
import type { PreviewPrefixes } from './renderer.ts'
import { createThemeFiles } from './theme-files.ts'
import { cachedHighlighting } from './token-cache-file.ts'

const [themesFolder = '', templatesFolder = '', tokenCache = '', ...custom] = process.argv.slice(2)

// A terminal's Ctrl-C reaches children too; the parent still needs them to finish what runs.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})

startParentWatchdog()

// Templates compile on first use. The service has compiled them all, and compares the digests.
const themes = await loadThemes({ themes: themesFolder, templates: templatesFolder, custom }, compileOnUse)
/** Forty common grammars take about 1.5 s of the 2 s of computing that a page may take. */
const MAX_LANGUAGES = 40
const here = createInProcessRenderer(themes, {
  ...cachedHighlighting(tokenCache === '' ? null : tokenCache),
  languages: MAX_LANGUAGES,
})
const files = createThemeFiles(themes)
const renderer = {
  async renderPage(live: LivePage) {
    const { artifacts, ...data } = await here.renderPage(live)
    return { data, files: artifacts.map(files.without) }
  },
  async preview(live: LivePage, prefixes: PreviewPrefixes) {
    const { assets, ...data } = await here.preview(live, prefixes)
    return { data, files: assets.map(files.without) }
  },
  feedEntry: data(here.feedEntry),
  cssIssue: data(here.cssIssue),
  document: data(here.document),
  includedPaths: data(here.includedPaths),
  wholeText: data(here.wholeText),
  shownTexts: data(here.shownTexts),
  readDocument: data(here.readDocument),
} satisfies Record<RenderCall, (...args: never) => Promise<RenderResult>>

writeMessageSync(CHANNEL, encodeReply({ ready: [...themes].map(([name, { digest }]) => [name, digest]) }))
// Blocks the process while it waits for a request, which takes half as long as an event.
const next = createMessageInput(CHANNEL)
for (let parts = next(); parts !== null; parts = next()) {
  const request = decodeRequest(parts)
  writeMessageSync(CHANNEL, encodeReply(await toMeasuredReply(() => answer(request))))
}
process.exit()

function answer({ call, args }: RenderRequest): Promise<RenderResult> {
  const method = renderer[call] as (...args: readonly unknown[]) => Promise<RenderResult>
  return method(...args)
}

/** A method whose result has no files. */
function data<Args extends readonly unknown[]>(method: (...args: Args) => Promise<unknown>) {
  return async (...args: Args): Promise<RenderResult> => ({ data: await method(...args), files: [] })
}
