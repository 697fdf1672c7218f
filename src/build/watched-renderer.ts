import pLimit from 'p-limit'
import type { PageId } from '../domain/ids.ts'
import type { LivePage } from '../domain/live-page.ts'
import type { RenderedPage } from '../render/render-page.ts'
import type { Renderer } from '../renderer/renderer.ts'

export interface Seen extends Pick<RenderedPage, 'warnings' | 'links'> {
  readonly page: LivePage['page']
  /** Milliseconds its rendering took. */
  readonly ms: number
}

/** A renderer that remembers what it was asked for. */
export interface WatchedRenderer {
  readonly renderer: Renderer
  readonly seen: ReadonlyMap<PageId, Seen>
}

export interface WatchPorts {
  readonly renderer: Renderer
  readonly monotonic: () => number
  /** Called after each page. */
  readonly onRendered: (rendered: number) => void
}

export function watchRenderer({ renderer, monotonic, onRendered }: WatchPorts): WatchedRenderer {
  const seen = new Map<PageId, Seen>()
  // In one process nothing is gained by rendering side by side, and times would mean nothing.
  const oneByOne = pLimit(1)
  return {
    seen,
    renderer: {
      ...renderer,
      renderPage: (live) => oneByOne(() => rendered(live)),
    },
  }

  async function rendered(live: LivePage): Promise<RenderedPage> {
    const began = monotonic()
    const rendered = await renderer.renderPage(live)
    const { warnings, links } = rendered
    seen.set(live.page.id, { page: live.page, warnings, links, ms: monotonic() - began })
    onRendered(seen.size)
    return rendered
  }
}
