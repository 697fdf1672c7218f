import pLimit from 'p-limit'
import type { PageId } from '../domain/ids.ts'
import type { LivePage } from '../domain/live-page.ts'
import { fragmentTargets } from '../publish/pipeline/dead-links.ts'
import type { RenderedPage } from '../render/page/render-page.ts'
import type { Renderer, TimedPage, TimingRenderer } from '../renderer/renderer.ts'
import type { BuiltPage, PageDetails } from './state/built-page.ts'
import { type PageExtract, packedExtract } from './state/page-extract.ts'

/** The record of a page that was rendered in this build. */
export interface RecordedPage extends Pick<TimedPage, 'ms'>, Pick<LivePage['page'], 'updatedAt'> {
  readonly extractText: BuiltPage['extractText']
  /** True if search finds the page. */
  readonly isFound: boolean
  readonly fragmentTargets: PageDetails['fragmentTargets']
}

/** A renderer that records an extract of each page instead of returning it. */
export interface RecordingRenderer {
  readonly renderer: Renderer
  readonly recorded: ReadonlyMap<PageId, RecordedPage>
  /** Number of artifacts whose body is in the spill folder. */
  readonly spilledCount: () => number
}

export interface RecordingPorts {
  readonly renderer: TimingRenderer
  /** Called after each page. */
  readonly onRendered: (rendered: number) => void
}

export function recordingRenderer({ renderer, onRendered }: RecordingPorts): RecordingRenderer {
  const seen = new Map<PageId, RecordedPage>()
  let spilledCount = 0
  return { recorded: seen, spilledCount: () => spilledCount, renderer: { ...renderer, renderPage } }

  async function renderPage(live: LivePage): Promise<RenderedPage> {
    const { artifacts, search, anchors, warnings, links, entry, ms } = await renderer.renderPage(live)
    spilledCount += artifacts.filter(({ spilled }) => spilled !== undefined).length
    seen.set(live.page.id, {
      ms,
      updatedAt: live.page.updatedAt,
      isFound: search !== null,
      fragmentTargets: fragmentTargets(live.path, links),
      extractText: packedExtract({ search, anchors, warnings, links }),
    })
    onRendered(seen.size)
    return { artifacts, ...NO_EXTRACT, ...(entry !== undefined && { entry }) }
  }
}

/** The build state stores extracts, so the publish path need not. */
const NO_EXTRACT: PageExtract = { search: null, anchors: [], warnings: [], links: [] }

/**
 * Renders one page at a time: on one thread concurrent rendering gains nothing, and the measured times would overlap.
 *
 * @param monotonic a clock in milliseconds.
 */
export function oneByOne(renderer: Renderer, monotonic: () => number): TimingRenderer {
  const oneAtATime = pLimit(1)
  return { ...renderer, renderPage: (live) => oneAtATime(() => timed(live)) }

  async function timed(live: LivePage): Promise<TimedPage> {
    const began = monotonic()
    const rendered = await renderer.renderPage(live)
    return { ...rendered, ms: monotonic() - began }
  }
}
