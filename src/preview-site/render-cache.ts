import { isDeepStrictEqual } from 'node:util'
import { LRUCache } from 'lru-cache'
import type { LivePage } from '../domain/live-page.ts'
import { ownTheme } from '../domain/page.ts'
import type { RenderedPage } from '../render/page/render-page.ts'
import type { Renderer } from '../renderer/renderer.ts'

/** Maximum bytes of cached pages: enough for a few thousand. */
const MAX_BYTES = 256 * 1024 * 1024

interface CacheEntry {
  readonly live: LivePage
  readonly themeDigest: string | null
  readonly rendered: RenderedPage
}

/** A cache of rendered pages. A page is rendered again only if its input or its theme changed. */
export function createRenderCache() {
  const entries = new LRUCache<string, CacheEntry>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ rendered }) =>
      1 +
      rendered.artifacts.reduce((sum, { body, stage }) => sum + (stage === 'asset' ? 0 : body.byteLength), 0),
  })

  return {
    /** Wraps a renderer with the cache. */
    caching: (renderer: Renderer): Renderer => ({
      ...renderer,
      async renderPage(live) {
        const { key, themeDigest } = keyOf(live, renderer)
        const known = entries.get(key)
        if (known?.themeDigest === themeDigest && isDeepStrictEqual(known.live, live)) return known.rendered
        const rendered = await renderer.renderPage(live)
        entries.set(key, { live, themeDigest, rendered })
        return rendered
      },
    }),
    /** The last successful result for a page, however old; null if there is none. */
    last: (live: LivePage, renderer: Renderer): RenderedPage | null =>
      entries.get(keyOf(live, renderer).key)?.rendered ?? null,
  }

  function keyOf({ page, settings }: LivePage, renderer: Renderer) {
    const theme = ownTheme(page) ?? settings.theme
    return { key: `${page.id} ${theme}`, themeDigest: renderer.themeDigest(theme) }
  }
}
