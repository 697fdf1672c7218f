import pLimit from 'p-limit'
import type { Artifact } from '../domain/artifact.ts'
import type { PageId } from '../domain/ids.ts'
import type { LivePage } from '../domain/live-page.ts'
import { fragmentTargets } from '../publish/pipeline/dead-links.ts'
import type { RenderedPage } from '../render/page/render-page.ts'
import { createPostingsMaker, type PostingsMaker } from '../render/search/postings.ts'
import type { Renderer, SiteInput, TimedPage, TimingRenderer } from '../renderer/renderer.ts'
import { SAID, saidText } from './spill/page-extract.ts'
import type { SpoolFolder } from './spill/spill-folder.ts'
import { roomIn } from './spill/spilled-postings.ts'
import type { PageSaid } from './state/built-page.ts'

/** What was heard of a page while it was rendered. */
export interface Seen extends Pick<TimedPage, 'ms'>, Pick<LivePage['page'], 'updatedAt'> {
  readonly said: PageSaid
  /** Whether search finds it. */
  readonly isFound: boolean
  /** Keys of the pages of which its links ask for a place. */
  readonly placesAsked: readonly string[]
}

/** A renderer that remembers what the pages it was asked for say, and does not hand that on. */
export interface WatchedRenderer {
  readonly renderer: Renderer
  readonly seen: ReadonlyMap<PageId, Seen>
  /** Leaves the body of an artifact in a file where those of pages are left. */
  readonly leave: (artifact: Artifact) => Artifact
  /** How many bodies were left there by now. */
  readonly spooled: () => number
  /** In which their words are noted else, in a file if that is to be. */
  readonly postings: () => PostingsMaker
}

/** Where a first build leaves what is not to stay in memory until it is written. */
export interface Spool extends SpoolFolder {
  /** The artifact with its body in the folder, if it is a page's. */
  readonly leave: (artifact: Artifact) => Artifact
  /** The artifact with its body beside those, if it is written later. */
  readonly leaveBeside: (artifact: Artifact) => Artifact
}

export interface WatchPorts {
  readonly renderer: TimingRenderer
  /** In which the renderer leaves pages, and what they say is left; null but in a first build. */
  readonly spool: Spool | null
  /** Called after each page. */
  readonly onRendered: (rendered: number) => void
}

export function watchRenderer({ renderer, spool, onRendered }: WatchPorts): WatchedRenderer {
  const seen = new Map<PageId, Seen>()
  let spooled = 0
  const leave = (artifact: Artifact) => left(spool === null ? artifact : spool.leave(artifact))
  return {
    seen,
    leave,
    spooled: () => spooled,
    postings: () => createPostingsMaker(spool === null ? undefined : roomIn(spool.texts)),
    renderer: { ...renderer, renderPage: rendered, renderSite },
  }

  async function rendered(live: LivePage): Promise<RenderedPage> {
    const { artifacts, search, anchors, warnings, links, ms } = await renderer.renderPage(live)
    artifacts.forEach(left)
    const { updatedAt } = live.page
    const heard = { isFound: search !== null, placesAsked: fragmentTargets(live.path, links), updatedAt, ms }
    const said: PageSaid = { search, anchors, warnings, links }
    const kept = spool === null ? null : spool.texts.put(saidText(said))
    seen.set(live.page.id, kept === null ? { ...heard, said } : SAID.on(heard, kept))
    onRendered(seen.size)
    return { artifacts, ...NOTHING_SAID }
  }

  async function renderSite(site: SiteInput): Promise<readonly Artifact[]> {
    const artifacts = await renderer.renderSite(site)
    return spool === null ? artifacts : artifacts.map(spool.leaveBeside)
  }

  function left(artifact: Artifact): Artifact {
    if (artifact.spooled !== undefined) spooled += 1
    return artifact
  }
}

/** A build keeps what its pages say by itself: it has no database to hand it on to. */
const NOTHING_SAID: PageSaid = { search: null, anchors: [], warnings: [], links: [] }

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
