// The program of a renderer's child process: loads the themes, then renders what its parent sends.
// Arguments: the folder of themes, the folder of templates, then each folder of a theme besides.
import type { LivePage } from '../domain/live-page.ts'
import { loadThemes } from '../theme/load-theme.ts'
import { createInProcessRenderer } from './in-process.ts'
import { packPage } from './packed-page.ts'
import { type RenderCall, type RenderReply, type RenderRequest, replyOf } from './protocol.ts'
import type { PreviewPlaces } from './renderer.ts'
import { createThemeFiles } from './theme-files.ts'

const [themesFolder = '', templatesFolder = '', ...own] = process.argv.slice(2)

// A terminal's Ctrl-C reaches children too; the parent still needs them to finish what runs.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.exit())

const themes = await loadThemes({ themes: themesFolder, templates: templatesFolder, own })
const here = createInProcessRenderer(themes)
const files = createThemeFiles(themes)
const renderer = {
  ...here,
  async renderPage(live: LivePage) {
    const rendered = await here.renderPage(live)
    return packPage({ ...rendered, artifacts: files.without(rendered.artifacts) })
  },
  async preview(live: LivePage, places: PreviewPlaces) {
    const rendered = await here.preview(live, places)
    return { ...rendered, assets: files.without(rendered.assets) }
  },
} satisfies Record<RenderCall, (...args: never) => Promise<unknown>>
process.on('message', async (request: RenderRequest) => say(await replyOf(() => answer(request))))
say({ ready: new Map([...themes].map(([name, { digest }]) => [name, digest])) })

function answer({ call, args }: RenderRequest): Promise<unknown> {
  const method = renderer[call] as (...args: readonly unknown[]) => Promise<unknown>
  return method(...args)
}

function say(reply: RenderReply): void {
  process.send?.(reply)
}
