import type { Diagnostic } from '../domain/diagnostic.ts'
import type { Upload } from '../publish/ledger/upload.ts'
import type { Renderer } from '../renderer/renderer.ts'
import type { MasterKey } from '../secrets/master-key.ts'
import { assetClashes } from '../site-build/asset-clashes.ts'
import { withIndexes } from '../site-build/full-text.ts'
import { prepareSite } from '../site-build/prepare-site.ts'
import { oneByOne, recordingRenderer } from '../site-build/recording-renderer.ts'
import { type BuildState, EMPTY_STATE } from '../site-build/state/build-state.ts'
import { nextState } from '../site-build/state/next-state.ts'
import type { InMemorySite } from './in-memory-site.ts'

export interface WholePorts {
  readonly renderer: Renderer
  readonly masterKey: MasterKey
  /** ISO 8601 UTC. */
  readonly now: string
}

/** The result of a cold build in memory, with the files that depend on all pages: indexes, feeds, search. */
export interface WholeSite {
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly state: BuildState
}

/**
 * Builds the site as a cold build does, without writing it. @returns the errors of pages that cannot be rendered, if
 * any.
 */
export async function renderEverything(
  { content, site, statics }: InMemorySite,
  { renderer: pageRenderer, masterKey, now }: WholePorts,
): Promise<WholeSite | { readonly errors: readonly Diagnostic[] }> {
  const { renderer, recorded } = recordingRenderer({
    renderer: oneByOne(pageRenderer, () => 0),
    onRendered: () => {},
  })
  const previous = {
    state: EMPTY_STATE,
    isWhole: false,
    own: EMPTY_STATE.files,
    foreign: new Set<string>(),
    digest: null,
    isUnchanged: false,
    isLost: false,
  }
  const prepared = await prepareSite(content, previous, {
    renderer,
    masterKey,
    contentKey: null,
    now,
    datesOf: () => ({ created: now, edited: now }),
    origin: site.origin,
    keyId: site.keyId,
    skills: site.skills,
  })
  if ('errors' in prepared) return prepared
  const clashes = assetClashes(content.assets, prepared, EMPTY_STATE)
  if (clashes.length > 0) return { errors: clashes }
  const assets = [...statics.keys()].map((key) => [key, { owner: null, digest: '' }] as const)
  const published = nextState(EMPTY_STATE, prepared, {
    engine: '',
    now,
    recorded,
    statics: { files: new Map(assets), copies: [] },
  })
  const { after, uploads } = withIndexes(EMPTY_STATE, published, prepared.plan.uploads, { out: '', now })
  return { files: bodiesOf([...prepared.plan.uploads, ...uploads]), state: after }
}

function bodiesOf(uploads: readonly Upload[]): ReadonlyMap<string, Uint8Array> {
  return new Map(uploads.map(({ artifact: { key, body } }) => [key, body]))
}
