import { isDeepStrictEqual } from 'node:util'
import { LRUCache } from 'lru-cache'
import type { LivePage } from '../domain/live-page.ts'
import type { RenderedPage } from '../render/page/render-page.ts'
import type { Renderer } from '../renderer/renderer.ts'

/** Bytes of rendered pages that are kept: those of a few thousand pages. */
const MAX_BYTES = 256 * 1024 * 1024

interface Made {
  readonly live: LivePage
  readonly themeDigest: string | null
  readonly rendered: RenderedPage
}

/** Pages by what they were made of: one that would come out the same is not rendered again. */
export function createRenderedPages() {
  const made = new LRUCache<string, Made>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ rendered }) =>
      1 +
      rendered.artifacts.reduce((sum, { body, stage }) => sum + (stage === 'asset' ? 0 : body.byteLength), 0),
  })

  return {
    /** The same renderer, that remembers. */
    remembering: (renderer: Renderer): Renderer => ({
      ...renderer,
      async renderPage(live) {
        const { key, themeDigest } = placeOf(live, renderer)
        const known = made.get(key)
        if (known?.themeDigest === themeDigest && isDeepStrictEqual(known.live, live)) return known.rendered
        const rendered = await renderer.renderPage(live)
        made.set(key, { live, themeDigest, rendered })
        return rendered
      },
    }),
    /** As it came out the last time that it could be rendered, however long ago; null when it never could. */
    last: (live: LivePage, renderer: Renderer): RenderedPage | null =>
      made.get(placeOf(live, renderer).key)?.rendered ?? null,
  }

  function placeOf({ page, settings }: LivePage, renderer: Renderer) {
    const theme = renderer.ownTheme(page) ?? settings.theme
    return { key: `${page.id} ${theme}`, themeDigest: renderer.themeDigest(theme) }
  }
}
