import { redirectKey } from '../../domain/redirect-path.ts'
import type { RedirectRelease } from '../../domain/release.ts'
import { sealingWithoutKeys } from '../data-mode/seal.ts'
import type { Lease } from '../ledger/leases.ts'
import type { LiveObject, LiveSite } from '../ledger/live-state.ts'
import type { PublishPorts } from '../ports.ts'
import { deploy } from './deploy.ts'
import { type Plan, plan, withUnknownBytes } from './plan.ts'
import { claimsOf } from './prepare.ts'
import { restoredRedirects } from './redirects.ts'
import { type NextRedirects, NO_REDIRECTS, nextRedirects, UNCHANGED_SITE } from './site-redirects.ts'

/**
 * Puts a change of redirects live: of those that belong to no page, and of paths that pages had before. Those of a site that
 * has not been published yet wait for its first publish. Safe to run again after an interruption.
 */
export async function changeRedirects(
  lease: Lease,
  release: RedirectRelease,
  ports: PublishPorts,
): Promise<RedirectRelease> {
  const { releaseQueue, liveState, storage } = ports
  const { projectId } = lease
  const live = await liveState.site(projectId)
  const { planned, redirects } = live === null ? NOTHING : await planChange(release, live, ports)
  const { uploads, deletes } = planned
  const artifacts = await sealingWithoutKeys(projectId).toStored(uploads)
  await releaseQueue.claimFiles(lease, release.id, claimsOf(planned))
  await deploy(planned, projectId, storage, ({ artifact }) => artifact.body)
  return releaseQueue.commitRedirects(lease, {
    release,
    artifacts,
    uploads,
    deletes: deletes.map(({ key }) => key),
    redirects: redirects.states,
  })
}

const NOTHING = { planned: { uploads: [], keeps: [], deletes: [] }, redirects: NO_REDIRECTS }

async function planChange(
  { id, projectId, state, change }: RedirectRelease,
  { site }: LiveSite,
  { liveState, redirectRows, now }: PublishPorts,
): Promise<{ readonly planned: Plan; readonly redirects: NextRedirects }> {
  const formers = await redirectRows.formersOf(projectId, change.remove)
  const removed = new Set(formers.map(({ path, pageId }) => `${pageId} ${redirectKey(path)}`))
  const isRemoved = ({ key, owner }: Pick<LiveObject, 'key' | 'owner'>) => removed.has(`${owner.id} ${key}`)
  const ownKeys = formers.map(({ path }) => redirectKey(path))
  const ofPages = (await liveState.objectsAt(projectId, ownKeys)).filter(
    (object) => object.owner.kind === 'redirect' && isRemoved(object),
  )
  const changed = { ...UNCHANGED_SITE, deletes: ofPages }
  const redirects = await nextRedirects(projectId, site, changed, { liveState, redirectRows }, change)
  const found = [...redirects.existing, ...ofPages]
  const existing = state === 'claimed' ? found.map(withUnknownBytes) : found
  const stamp = { releaseId: id, publishedAt: now() }
  const context = { keyId: null, stampOf: () => stamp }
  const first = plan(redirects.artifacts, existing, context)
  const freed = first.deletes.map(({ key }) => key)
  const restored = await restoredRedirects(site, freed, new Map(), liveState, ({ pageId, path }) =>
    removed.has(`${pageId} ${redirectKey(path)}`),
  )
  const planned =
    restored.length === 0 ? first : plan([...redirects.artifacts, ...restored], existing, context)
  return { planned, redirects }
}
