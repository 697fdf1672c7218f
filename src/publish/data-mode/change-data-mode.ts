import type { DataModeRelease } from '../../domain/release.ts'
import { docsTrees } from '../../render/docs/docs-nav.ts'
import { NO_LISTINGS } from '../../renderer/renderer.ts'
import type { Lease } from '../ledger/leases.ts'
import type { LiveSite } from '../ledger/live-state.ts'
import type { ClaimedChange, DataModeCommit } from '../ledger/release-queue.ts'
import { deploy } from '../pipeline/deploy.ts'
import { plan, type UploadContext } from '../pipeline/plan.ts'
import type { PublishPorts } from '../ports.ts'
import { type ChangePorts, reEncrypt } from './re-encrypt.ts'
import { createSealing } from './seal.ts'

/**
 * Enables or disables Data Mode, which leaves pages unchanged until they are published again, or encrypts the
 * project with a new key. Safe to run again after an interruption: sealed pages are then sealed again.
 */
export async function changeDataMode(
  lease: Lease,
  change: ClaimedChange,
  ports: ChangePorts,
): Promise<DataModeRelease> {
  const { release } = change
  const { site, settings } = release
  const previous = await ports.liveState.site(lease.projectId)
  const next: LiveSite = {
    site,
    settings,
    revision: (previous?.revision ?? 0) + 1,
    feedTimes: previous?.feedTimes,
  }
  const commit =
    release.op === 'rekey'
      ? await changeKey(lease, change, next, ports)
      : // The site's files stay as they are until pages are published.
        await changeMode(lease, release, { ...next, media: previous?.media }, ports)
  return ports.releaseQueue.commitDataMode(lease, commit)
}

const NO_PAGES = { pages: [], resealed: [], renamed: [], lines: [] } as const

/** Writes the manifest, which names the mode. Pages follow when they are published again. */
async function changeMode(
  { projectId }: Lease,
  release: DataModeRelease,
  next: LiveSite,
  { liveState, renderer, storage, now }: PublishPorts,
): Promise<DataModeCommit> {
  const lines = await liveState.indexLines(projectId)
  const artifacts = await renderer.renderSite({
    ...next,
    lines,
    feed: [],
    trees: null,
    listings: NO_LISTINGS,
    docsOrder: [],
  })
  const manifest = artifacts.filter(({ stage }) => stage === 'manifest')
  const { uploads } = plan(manifest, [], uploadContext(release, now()))
  await deploy({ uploads, deletes: [] }, projectId, storage, ({ artifact }) => artifact.body)
  return { release, site: next, uploads, deletes: [], ...NO_PAGES }
}

async function changeKey(
  lease: Lease,
  change: ClaimedChange,
  next: LiveSite,
  ports: ChangePorts,
): Promise<DataModeCommit> {
  const { liveState, renderer, storage, now } = ports
  const { projectId } = lease
  const { release } = change
  const { keyId } = next.site
  if (keyId === null) throw new Error(`Release ${release.id} has no key.`)
  const sealing = await createSealing(projectId, ports)
  const pages = await reEncrypt(lease, change, keyId, sealing, ports)

  const trees = docsTrees(await liveState.facts(projectId, 'docs'), next.settings)
  const artifacts = await renderer.renderSite({
    ...next,
    lines: pages.lines,
    feed: [],
    trees,
    listings: NO_LISTINGS,
    docsOrder: [],
  })
  const existing = await liveState.objectsOfKinds(projectId, [
    'site',
    'nav',
    'listing',
    'search',
    'redirect',
    'site-redirect',
  ])
  const indexes = plan(artifacts, existing, uploadContext(release, now()))
  const deletes = [...pages.deletes, ...indexes.deletes]
  await deploy({ uploads: indexes.uploads, deletes }, projectId, storage, sealing.encodeUpload)
  const uploads = [...pages.uploads, ...indexes.uploads]
  return { ...pages, release, site: next, uploads, deletes: deletes.map(({ key }) => key) }
}

function uploadContext({ id, site: { keyId } }: DataModeRelease, now: string): UploadContext {
  return { keyId, stampOf: () => ({ releaseId: id, publishedAt: now }) }
}
