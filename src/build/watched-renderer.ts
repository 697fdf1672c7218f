import pLimit from 'p-limit'
import type { PageId } from '../domain/ids.ts'
import type { LivePage } from '../domain/live-page.ts'
import { createPostingsMaker, type PostingsMaker } from '../render/outputs/search/postings.ts'
import type { RenderedPage } from '../render/render-page.ts'
import type { Renderer, TimedPage, TimingRenderer } from '../renderer/renderer.ts'

export interface Seen extends Pick<TimedPage, 'warnings' | 'links' | 'ms'> {
  readonly page: LivePage['page']
}

/** A renderer that remembers what it was asked for. */
export interface WatchedRenderer {
  readonly renderer: Renderer
  readonly seen: ReadonlyMap<PageId, Seen>
  /** Files in which something was put that was rendered. */
  readonly spooled: ReadonlySet<string>
  /**
   * What search finds of the pages, noted while other threads render, so that not all of that is left to be done
   * when they have nothing to do any more. Null but in a first build: others make little of their index anew.
   */
  readonly noted: PostingsMaker | null
}

export interface WatchPorts {
  readonly renderer: TimingRenderer
  /** Where files are put that are rendered in a first build; else null. */
  readonly spool: string | null
  /** Called after each page. */
  readonly onRendered: (rendered: number) => void
}

export function watchRenderer({ renderer, spool, onRendered }: WatchPorts): WatchedRenderer {
  const seen = new Map<PageId, Seen>()
  const spooled = new Set<string>()
  const noted = spool === null ? null : createPostingsMaker()
  return { seen, spooled, noted, renderer: { ...renderer, renderPage: rendered } }

  async function rendered(live: LivePage): Promise<RenderedPage> {
    const rendered = await renderer.renderPage(live)
    const { artifacts, search, warnings, links, ms } = rendered
    for (const artifact of artifacts) if (artifact.spooled !== undefined) spooled.add(artifact.spooled.file)
    if (search !== null) noted?.note(search)
    seen.set(live.page.id, { page: live.page, warnings, links, ms })
    onRendered(seen.size)
    return rendered
  }
}

/**
 * Asks for one page after the other: in one thread nothing is gained by rendering side by side, and times
 * would mean nothing.
 *
 * @param monotonic a clock in milliseconds.
 */
export function oneByOne(renderer: Renderer, monotonic: () => number): TimingRenderer {
  const inTurn = pLimit(1)
  return { ...renderer, renderPage: (live) => inTurn(() => timed(live)) }

  async function timed(live: LivePage): Promise<TimedPage> {
    const began = monotonic()
    const rendered = await renderer.renderPage(live)
    return { ...rendered, ms: monotonic() - began }
  }
}
