import { storageKey } from '../../domain/storage-key.ts'
import type { InProject, Lease, LiveObject } from '../ledger.ts'
import { remove } from '../pipeline/deploy.ts'
import type { PublishPorts } from '../ports.ts'

/** For pages that a browser or a cache in between still holds. */
const GRACE_MS = 24 * 60 * 60 * 1000

/** Files of the site that are no page's and may be documents. */
const KINDS = ['site', 'nav', 'listing'] as const

export type UnnamedAssetPorts = Pick<PublishPorts, 'ledger' | 'storage' | 'now'>

/**
 * Remove assets that nothing live has named for a day. Each is let go durably before it is removed, so
 * that breaking off leaves nothing to be missed, and whoever publishes next brings it along again.
 */
export async function removeUnnamedAssets(lease: Lease, ports: UnnamedAssetPorts): Promise<void> {
  const { ledger, storage, now } = ports
  const assets = await ledger.unnamedAssets(lease.projectId)
  const isDue = (since: string | null) => since !== null && Date.parse(since) <= Date.parse(now()) - GRACE_MS
  const gone = assets.filter(({ isLeaving }) => isLeaving)
  const lying = assets.filter(({ isLeaving }) => !isLeaving)
  const named = lying.length === 0 ? NOTHING : await namedByOthers(lease, ports)

  const unnamed = lying.filter(({ key }) => !named.has(key))
  const fresh = unnamed.filter(({ since }) => since === null)
  const due = unnamed.filter(({ since }) => isDue(since))
  const back = lying.filter(({ key, since }) => named.has(key) && since !== null)
  await ledger.noteUnnamed(lease, keysOf(fresh), now())
  await ledger.noteUnnamed(lease, keysOf(back), null)
  await ledger.letGo(lease, keysOf(due))

  const leaving = keysOf([...gone, ...due])
  const owner = { kind: 'site', id: '' } as const
  await remove(
    lease.projectId,
    leaving.map((key) => ({ key, owner })),
    storage,
  )
  await ledger.forgetGone(lease, leaving)
}

const NOTHING: ReadonlySet<string> = new Set()

/** Assets that documents of the site name which are no page's, as they lie there, and fonts and pictures that their styles do. */
async function namedByOthers(
  { projectId }: InProject,
  { ledger, storage }: UnnamedAssetPorts,
): Promise<ReadonlySet<string>> {
  const named = new Set<string>()
  for (const kind of KINDS) {
    const documents = (await ledger.objectsOfKinds(projectId, [kind])).filter(isDocument)
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
