import type { ProjectId } from '../domain/ids.ts'
import type { Upload } from '../publish/ledger.ts'
import { createSealing } from '../publish/seal.ts'
import type { TimingRenderer } from '../renderer/renderer.ts'
import { keptContentKey, keyIdOf } from '../secrets/content-key.ts'
import type { MasterKey } from '../secrets/master-key.ts'
import type { SiteFault } from '../site/site.ts'
import type { Storage } from '../storage/storage.ts'
import type { BuildState } from './build-state.ts'
import { type Complaint, complaintsOf } from './complaints.ts'
import { type ContentRequest, readContent } from './content.ts'
import { type PreparedSite, prepareSite } from './prepare-site.ts'
import { withSearch } from './search-index.ts'
import { stateAfter } from './state-after.ts'
import { stateBefore } from './state-before.ts'
import { staticFiles } from './static-files.ts'
import { type Seen, watchRenderer } from './watched-renderer.ts'
import { changesOf, type SiteChanges, writeSite } from './write-site.ts'

export interface BuildRequest extends ContentRequest {
  /** Instead of the address that the folder names; without a slash at its end. */
  readonly origin: string | null
  /** 32 bytes that seal the site, as Data Mode does; null builds it to be read. */
  readonly contentKey: Uint8Array | null
}

export interface BuildPorts {
  readonly renderer: TimingRenderer
  /** The folder `out`; writes need not be durable, since it can be built again. */
  readonly storage: Storage
  readonly masterKey: MasterKey
  /** Version of Quoin; another one builds everything anew. */
  readonly engine: string
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
  /** Called after each page that is rendered. */
  readonly onRendered: (rendered: number) => void
}

/** Faults are to be mended before anything is built. */
export type BuildResult = { readonly faults: readonly SiteFault[] } | { readonly report: BuildReport }

export interface BuildReport {
  readonly pages: { readonly total: number; readonly rendered: number; readonly removed: number }
  readonly files: {
    readonly total: number
    readonly written: number
    readonly removed: number
    /** Of what was written. */
    readonly bytes: number
  }
  /** The pages that took longest to render, slowest first. */
  readonly slowest: readonly { readonly file: string; readonly ms: number }[]
  readonly complaints: readonly Complaint[]
  /** False: canonical links, sitemap and feeds name an address that is none. */
  readonly hasAddress: boolean
}

/** A name that is reserved for never being anybody's. */
const NOWHERE = 'http://site.invalid'

const SLOWEST = 5

/** A folder has one content key, which whoever builds it keeps. */
const KEY_VERSION = 1

/**
 * A content folder as a finished site, by the way of every publish: what did not change since the last
 * build is left as it lies there. Broken off at any moment, each file is the old or the new one, and
 * the next build completes it. Only files that a build wrote are ever replaced or removed.
 *
 * @throws {ServiceError} `conflict` when somebody else's file is in the way; nothing is written then.
 */
export async function buildSite(request: BuildRequest, ports: BuildPorts): Promise<BuildResult> {
  const { site, faults } = await readContent(request, ports.renderer)
  if (faults.length > 0) return { faults }

  const { renderer, seen } = watchRenderer(ports)
  const now = ports.now()
  const { contentKey } = request
  const before = await stateBefore(request.out, contentKey, ports)
  const prepared = await prepareSite(site, before, {
    ...ports,
    renderer,
    now,
    origin: request.origin ?? site.origin ?? NOWHERE,
    keyId: contentKey === null ? null : keyIdOf(KEY_VERSION),
  })
  if ('faults' in prepared) return prepared

  const statics = await staticFiles(request.folder, site.assets, before.state)
  const published = stateAfter(before.state, prepared, { engine: ports.engine, statics, seen, now })
  // Where no page came, changed or went, search finds what it found before; of what is sealed, nothing.
  const isSame = contentKey !== null || (before.isWhole && prepared.commit === null)
  const { after, uploads } = isSame ? { after: published, uploads: [] } : withSearch(published, now)
  const changes = changesOf(before, after, withUploads(prepared, uploads), statics)
  const encode = await encoder(prepared.projectId, contentKey, ports)
  await writeSite(request.out, { changes, before, after }, { ...ports, contentKey, encode })
  const hasAddress = (request.origin ?? site.origin) !== null
  const { removed } = prepared
  return { report: { ...(await reportOf(request.folder, { after, changes, seen, removed })), hasAddress } }
}

/** What is stored for an upload. */
async function encoder(
  projectId: ProjectId,
  contentKey: Uint8Array | null,
  { masterKey }: BuildPorts,
): Promise<(upload: Upload) => Uint8Array> {
  if (contentKey === null) return ({ artifact }) => artifact.body
  const kept = keptContentKey(masterKey, projectId, KEY_VERSION, contentKey)
  const sealing = await createSealing(projectId, { ledger: { contentKeys: async () => [kept] }, masterKey })
  return sealing.encodeUpload
}

function withUploads(prepared: PreparedSite, more: readonly Upload[]): PreparedSite {
  const { plan } = prepared
  return { ...prepared, plan: { ...plan, uploads: [...plan.uploads, ...more] } }
}

interface Built {
  readonly after: BuildState
  readonly changes: SiteChanges
  readonly seen: ReadonlyMap<string, Seen>
  readonly removed: number
}

async function reportOf(
  folder: string,
  { after, changes, seen, removed }: Built,
): Promise<Omit<BuildReport, 'hasAddress'>> {
  const { plan, copies, gone } = changes
  const sizes = [
    ...plan.uploads.map(({ artifact }) => artifact.body.byteLength),
    ...copies.map(({ size }) => size),
  ]
  const times = [...seen].map(([id, { ms }]) => ({ file: after.pages[id]?.source ?? '', ms }))
  return {
    pages: { total: Object.keys(after.pages).length, rendered: seen.size, removed },
    files: {
      total: Object.keys(after.files).length,
      written: sizes.length,
      removed: gone.length,
      bytes: sizes.reduce((sum, size) => sum + size, 0),
    },
    slowest: times.sort((a, b) => b.ms - a.ms).slice(0, SLOWEST),
    complaints: await complaintsOf(folder, after),
  }
}
