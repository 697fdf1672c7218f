import type { DataModeRelease } from '../../domain/release.ts'
import { docsTrees } from '../../render/docs/docs-nav.ts'
import { NO_LISTINGS } from '../../renderer/renderer.ts'
import type { Lease } from '../ledger/leases.ts'
import type { LiveSite } from '../ledger/live-state.ts'
import type { ClaimedChange, DataModeCommit } from '../ledger/release-queue.ts'
import { deploy } from '../pipeline/deploy.ts'
import { plan, type UploadContext } from '../pipeline/plan.ts'
import type { PublishPorts } from '../ports.ts'
import { reEncrypt } from './re-encrypt.ts'
import { createSealing } from './seal.ts'

/**
 * Switch Data Mode on or off, which leaves pages as they are, or put everything under a new key.
 * May be repeated after it died half-way: what is sealed already is sealed again.
 */
export async function changeDataMode(
  lease: Lease,
  change: ClaimedChange,
  ports: PublishPorts,
): Promise<DataModeRelease> {
  const { release } = change
  const { site, settings } = release
  const before = await ports.liveState.site(lease.projectId)
  const after: LiveSite = { site, settings, revision: (before?.revision ?? 0) + 1 }
  const commit =
    release.op === 'rekey'
      ? await underNewKey(lease, change, after, ports)
      : await underNewMode(lease, release, after, ports)
  return ports.releaseQueue.commitDataMode(lease, commit)
}

const NO_PAGES = { pages: [], resealed: [], lines: [] } as const

/** Only what everybody reads says so at once; each file follows when its page is published. */
async function underNewMode(
  { projectId }: Lease,
  release: DataModeRelease,
  after: LiveSite,
  { liveState, renderer, storage, now }: PublishPorts,
): Promise<DataModeCommit> {
  const lines = await liveState.indexLines(projectId)
  const artifacts = await renderer.renderSite({
    ...after,
    lines,
    feed: [],
    trees: null,
    listings: NO_LISTINGS,
  })
  const manifest = artifacts.filter(({ stage }) => stage === 'manifest')
  const { uploads } = plan(manifest, [], writingOf(release, now()))
  await deploy({ uploads, deletes: [] }, projectId, storage, ({ artifact }) => artifact.body)
  return { release, site: after, uploads, deletes: [], ...NO_PAGES }
}

async function underNewKey(
  lease: Lease,
  change: ClaimedChange,
  after: LiveSite,
  ports: PublishPorts,
): Promise<DataModeCommit> {
  const { liveState, renderer, storage, now } = ports
  const { projectId } = lease
  const { release } = change
  const { keyId } = after.site
  if (keyId === null) throw new Error(`Release ${release.id} brings no key.`)
  const sealing = await createSealing(projectId, ports)
  const anew = await reEncrypt(lease, change, keyId, sealing, ports)

  const trees = docsTrees(await liveState.facts(projectId, 'docs'), after.settings.docsNav)
  const artifacts = await renderer.renderSite({
    ...after,
    lines: anew.lines,
    feed: [],
    trees,
    listings: NO_LISTINGS,
  })
  const lying = await liveState.objectsOfKinds(projectId, ['site', 'nav', 'listing', 'search', 'redirect'])
  const indexes = plan(artifacts, lying, writingOf(release, now()))
  const deletes = [...anew.deletes, ...indexes.deletes]
  await deploy({ uploads: indexes.uploads, deletes }, projectId, storage, sealing.encodeUpload)
  const uploads = [...anew.uploads, ...indexes.uploads]
  return { ...anew, release, site: after, uploads, deletes: deletes.map(({ key }) => key) }
}

function writingOf({ id, site: { keyId } }: DataModeRelease, now: string): UploadContext {
  return { keyId, stampOf: () => ({ releaseId: id, publishedAt: now }) }
}
