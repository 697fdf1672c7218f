import { ASSET_PREFIX } from '../../domain/artifact.ts'
import { decoded } from '../../domain/author-url.ts'
import { orphanedAssets } from '../../domain/orphaned-assets.ts'
import { storageKey } from '../../domain/storage-key.ts'
import type { InProject, Lease } from '../ledger/leases.ts'
import type { LiveObject } from '../ledger/live-state.ts'
import { remove } from '../pipeline/deploy.ts'
import type { PublishPorts } from '../ports.ts'

/** Browsers and caches may hold a page for a day that still references the asset. */
const GRACE_MS = 24 * 60 * 60 * 1000

/** Owners of HTML documents other than pages. */
const DOCUMENT_KINDS = ['site', 'nav', 'listing'] as const

type OrphanPorts = Pick<PublishPorts, 'liveState' | 'storage' | 'now'>

/**
 * Removes assets that have been orphaned for a day. Each is durably marked for deletion first: after an
 * interruption it counts as missing, the next call completes the removal, and a publish that needs it uploads it
 * again.
 */
export async function removeOrphanedAssets(lease: Lease, ports: OrphanPorts): Promise<void> {
  const { liveState, now } = ports
  const keyId = (await liveState.site(lease.projectId))?.site.keyId ?? null
  if (keyId !== null) await removeExposedMedia(lease, keyId, ports)
  const candidates = await liveState.orphanedAssets(lease.projectId)
  const deleting = candidates.filter(({ isDeleting }) => isDeleting)
  const present = candidates.filter(({ isDeleting }) => !isDeleting)
  const referenced = present.length === 0 ? NONE : await referencedByDocuments(lease, ports)

  const orphans = orphanedAssets(keysOf(present), [referenced])
  const oldest = Date.parse(now()) - GRACE_MS
  const fresh = present.filter(({ key, since }) => orphans.has(key) && since === null)
  const due = present.filter(
    ({ key, since }) => orphans.has(key) && since !== null && Date.parse(since) <= oldest,
  )
  const referencedAgain = present.filter(({ key, since }) => !orphans.has(key) && since !== null)
  await liveState.markOrphaned(lease, keysOf(fresh), now())
  await liveState.markOrphaned(lease, keysOf(referencedAgain), null)
  await removeDurably(lease, keysOf(due), keysOf(deleting), ports)
}

/**
 * Removes pictures and files of a project in Data Mode that no page shows any more, and that its current key does not
 * seal: what a page showed before it was sealed, or was sealed with before the key changed. There is no day of grace.
 */
export async function removeExposedMedia(lease: Lease, keyId: string, ports: OrphanPorts): Promise<void> {
  const exposed = await ports.liveState.exposedMedia(lease.projectId, keyId)
  if (exposed.length === 0) return
  const orphans = orphanedAssets(exposed, [await referencedByDocuments(lease, ports)])
  await removeDurably(lease, [...orphans], [], ports)
}

/** @param marked objects that are marked for deletion already. */
async function removeDurably(
  lease: Lease,
  due: readonly string[],
  marked: readonly string[],
  { liveState, storage }: OrphanPorts,
): Promise<void> {
  await liveState.markForDeletion(lease, due)
  const removed = [...marked, ...due]
  const owner = { kind: 'site', id: '' } as const
  await remove(
    lease.projectId,
    removed.map((key) => ({ key, owner })),
    storage,
  )
  await liveState.deleteObjects(lease, removed)
}

const NONE: ReadonlySet<string> = new Set()

/** Addresses of shared files as written in documents and style sheets. */
const SHARED = /_(?:assets|media)\/[\w.%-]+/g

/** Assets referenced by HTML documents other than pages, with the fonts and images of their style sheets. */
async function referencedByDocuments(
  { projectId }: InProject,
  { liveState, storage }: OrphanPorts,
): Promise<ReadonlySet<string>> {
  const referenced = new Set<string>()
  for (const kind of DOCUMENT_KINDS) {
    const documents = (await liveState.objectsOfKinds(projectId, [kind])).filter(isReadableDocument)
    for (const { key } of documents)
      for (const [asset] of (await read(key)).matchAll(SHARED)) referenced.add(decoded(asset))
  }
  for (const style of [...referenced].filter((asset) => asset.endsWith('.css'))) {
    const css = await read(style)
    for (const [media] of css.matchAll(SHARED)) referenced.add(decoded(media))
    for (const [, name] of css.matchAll(/url\(([\w.-]+)\)/g)) referenced.add(`${ASSET_PREFIX}${name}`)
  }
  return referenced

  async function read(key: string): Promise<string> {
    return Buffer.from((await storage.get(storageKey(projectId, key))) ?? []).toString()
  }
}

function isReadableDocument({ key, digest, keyId }: LiveObject): boolean {
  return key.endsWith('.html') && digest !== null && keyId === null
}

function keysOf(assets: readonly { readonly key: string }[]): readonly string[] {
  return assets.map(({ key }) => key)
}
