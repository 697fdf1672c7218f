import { storageKey } from '../../domain/storage-key.ts'
import type { InProject, Lease } from '../ledger/leases.ts'
import type { LiveObject } from '../ledger/live-state.ts'
import { remove } from '../pipeline/deploy.ts'
import type { PublishPorts } from '../ports.ts'

/** For pages that a browser or a cache in between still holds. */
const GRACE_MS = 24 * 60 * 60 * 1000

/** Files of the site that are no page's and may be documents. */
const KINDS = ['site', 'nav', 'listing'] as const

export type UnnamedAssetPorts = Pick<PublishPorts, 'liveState' | 'storage' | 'now'>

/**
 * Remove assets that nothing live has named for a day. Each is let go durably before it is removed, so
 * that breaking off leaves nothing to be missed, and whoever publishes next brings it along again.
 */
export async function removeUnnamedAssets(lease: Lease, ports: UnnamedAssetPorts): Promise<void> {
  const { liveState, storage, now } = ports
  const assets = await liveState.orphanedAssets(lease.projectId)
  const isDue = (since: string | null) => since !== null && Date.parse(since) <= Date.parse(now()) - GRACE_MS
  const gone = assets.filter(({ isDeleting }) => isDeleting)
  const lying = assets.filter(({ isDeleting }) => !isDeleting)
  const named = lying.length === 0 ? NOTHING : await namedByOthers(lease, ports)

  const unnamed = lying.filter(({ key }) => !named.has(key))
  const fresh = unnamed.filter(({ since }) => since === null)
  const due = unnamed.filter(({ since }) => isDue(since))
  const back = lying.filter(({ key, since }) => named.has(key) && since !== null)
  await liveState.markOrphaned(lease, keysOf(fresh), now())
  await liveState.markOrphaned(lease, keysOf(back), null)
  await liveState.markForDeletion(lease, keysOf(due))

  const leaving = keysOf([...gone, ...due])
  const owner = { kind: 'site', id: '' } as const
  await remove(
    lease.projectId,
    leaving.map((key) => ({ key, owner })),
    storage,
  )
  await liveState.deleteObjects(lease, leaving)
}

const NOTHING: ReadonlySet<string> = new Set()

/** Assets that documents of the site name which are no page's, as they lie there, and fonts and pictures that their styles do. */
async function namedByOthers(
  { projectId }: InProject,
  { liveState, storage }: UnnamedAssetPorts,
): Promise<ReadonlySet<string>> {
  const named = new Set<string>()
  for (const kind of KINDS) {
    const documents = (await liveState.objectsOfKinds(projectId, [kind])).filter(isDocument)
    for (const { key } of documents) {
      const body = await storage.get(storageKey(projectId, key))
      for (const [name] of Buffer.from(body ?? [])
        .toString()
        .matchAll(/_assets\/[\w.-]+/g))
        named.add(name)
    }
  }
  for (const style of [...named].filter((name) => name.endsWith('.css'))) {
    const body = await storage.get(storageKey(projectId, style))
    const css = Buffer.from(body ?? []).toString()
    for (const [, name] of css.matchAll(/url\(([\w.-]+)\)/g)) named.add(`_assets/${name}`)
  }
  return named
}

function isDocument({ key, digest, keyId }: LiveObject): boolean {
  return key.endsWith('.html') && digest !== null && keyId === null
}

function keysOf(assets: readonly { readonly key: string }[]): readonly string[] {
  return assets.map(({ key }) => key)
}
