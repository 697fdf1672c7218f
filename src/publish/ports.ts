import type { OriginalBody } from '../domain/artifact.ts'
import type { ProjectId, ReleaseId } from '../domain/ids.ts'
import type { Pay } from '../platform/processor-time.ts'
import type { Renderer, RenderTurn } from '../renderer/renderer.ts'
import type { MasterKey } from '../secrets/master-key.ts'
import type { OpenObject, Storage, StreamedBody } from '../storage/storage.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { LiveObject, LiveState } from './ledger/live-state.ts'
import type { RedirectRows } from './ledger/redirect-rows.ts'
import type { SearchRows } from './ledger/search-rows.ts'
import type { StoredArtifacts } from './ledger/stored-artifacts.ts'

/** Part of the ledger for preparing a batch. A build implements it over the state of its last run. */
export interface BatchLedger {
  readonly liveState: Pick<
    LiveState,
    | 'site'
    | 'facts'
    | 'translations'
    | 'pagesAt'
    | 'cards'
    | 'indexLines'
    | 'feedEntries'
    | 'slotsOf'
    | 'nextSlots'
    | 'objectsOfPages'
    | 'objectsOfKinds'
    | 'objectsAt'
    | 'objectsClaimedBy'
    | 'formersAt'
  >
  readonly storedArtifacts: Pick<StoredArtifacts, 'find' | 'contentsOf' | 'contentKeys'>
  readonly searchRows: Pick<SearchRows, 'pages' | 'entries' | 'base'>
}

interface RenderPorts {
  readonly renderer: Renderer
  /** Unwraps the content keys of projects in Data Mode. */
  readonly masterKey: MasterKey
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
}

export interface PreparePorts extends BatchLedger, RenderPorts {
  /** When the pages are rendered. Preparing ends with the reason of its signal when that is aborted. */
  readonly turn?: RenderTurn
  /** Lets the request that waits for a release pay for its render; undefined where none waits. */
  readonly payFor?: (release: ReleaseId) => Pay | undefined
  /** True when the times of feeds are stored with the site, as outside of builds. Absent: no. */
  readonly remembersFeeds?: true
  /** Redirects without a page. Absent in a build, which writes them after its pages. */
  readonly redirectRows?: RedirectRows
  /**
   * The keys of those objects that are damaged on the store; they are uploaded again though nothing has changed.
   * Absent where the store is not looked at.
   */
  readonly findDamaged?: (objects: readonly LiveObject[]) => Promise<ReadonlySet<string>>
}

/** Private store of originals, the source of published copies. */
export interface PublishedMedia {
  /** Body of an original, opened at its first read, which fails without an original. */
  body(projectId: ProjectId, original: OriginalBody): StreamedBody
  /** Opens the original with these bytes; null when there is none. */
  open(projectId: ProjectId, digest: string): Promise<OpenObject | null>
}

export interface PublishPorts extends Ledger, RenderPorts {
  readonly storage: Storage
  readonly publishedMedia: PublishedMedia
}
