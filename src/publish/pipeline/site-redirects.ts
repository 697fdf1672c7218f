import type { Artifact } from '../../domain/artifact.ts'
import type { PageId, ProjectId } from '../../domain/ids.ts'
import type { SiteIdentity } from '../../domain/live-page.ts'
import { redirectKey } from '../../domain/redirect-path.ts'
import {
  isCopy,
  keysAt,
  type LiveRedirect,
  NO_CHANGE,
  objectKind,
  type ProjectRedirect,
  placeRedirects,
  type RedirectChange,
  type RedirectEnd,
  type RedirectState,
} from '../../domain/site-redirect.ts'
import { siteRedirectArtifact } from '../../render/site-files/redirect.ts'
import type { LiveObject, LiveState } from '../ledger/live-state.ts'
import type { RedirectRows } from '../ledger/redirect-rows.ts'
import type { Plan } from './plan.ts'

/** Other changes of a release that redirects depend on. */
export interface ChangedSite extends Pick<Plan, 'uploads' | 'deletes'> {
  /** Next paths of its pages; null for a page taken off the site. */
  readonly paths: ReadonlyMap<PageId, string | null>
}

export const UNCHANGED_SITE: ChangedSite = { uploads: [], deletes: [], paths: new Map() }

/** Redirects without a page, after a release. */
export interface NextRedirects {
  readonly artifacts: readonly Artifact[]
  /** Replaced objects. */
  readonly existing: readonly LiveObject[]
  /** New outcomes of redirects on the site, where they change. */
  readonly states: readonly RedirectState[]
  /** Redirects without a target from here on, and with one before. */
  readonly died: readonly ProjectRedirect[]
}

interface RedirectPorts {
  readonly redirectRows: RedirectRows
  readonly liveState: Pick<LiveState, 'objectsAt' | 'objectsOfKinds'>
}

/**
 * Follows the redirects of a project over the site as it will be, and renders them: documents, and copies of feeds and
 * files. A project without any costs one query.
 *
 * @param change of the redirects themselves.
 */
export async function nextRedirects(
  projectId: ProjectId,
  site: SiteIdentity,
  changed: ChangedSite,
  { redirectRows, liveState }: RedirectPorts,
  change: RedirectChange = NO_CHANGE,
): Promise<NextRedirects> {
  const stored = await redirectRows.list(projectId)
  const all = withChange(stored, change)
  if (stored.length + all.length === 0) return NO_REDIRECTS
  const existing = await liveState.objectsOfKinds(projectId, ['site-redirect'])
  const before = new Map(stored.map((redirect) => [redirect.id, redirect]))
  const next =
    site.hostingMode === 'data_mode'
      ? all.map(({ id }) => ({ id, key: null, end: before.get(id)?.end ?? null, artifact: null }))
      : await placed(projectId, site, all, changed, { redirectRows, liveState })
  const states = next.filter(({ id, key, end }) => !isSameState(before.get(id), { id, key, end }))
  const dead = new Set(states.filter(({ end }) => end === null).map(({ id }) => id))
  return {
    artifacts: next.flatMap(({ artifact }) => artifact ?? []),
    existing,
    states: states.map(({ id, key, end }) => ({ id, key, end })),
    died: all.filter(({ id }) => dead.has(id) && before.get(id)?.end != null),
  }
}

export const NO_REDIRECTS: NextRedirects = { artifacts: [], existing: [], states: [], died: [] }

function withChange(
  stored: readonly LiveRedirect[],
  { put, remove }: RedirectChange,
): readonly ProjectRedirect[] {
  const replaced = new Set<string>([...remove, ...put.map(({ id }) => id)])
  return [...stored.filter(({ id }) => !replaced.has(id)), ...put]
}

function isSameState(before: RedirectState | undefined, after: RedirectState): boolean {
  if (before === undefined) return after.key === null && after.end === null
  return before.key === after.key && JSON.stringify(before.end) === JSON.stringify(after.end)
}

type Placed = RedirectState & { readonly artifact: Artifact | null }

async function placed(
  projectId: ProjectId,
  site: SiteIdentity,
  redirects: readonly ProjectRedirect[],
  changed: ChangedSite,
  { redirectRows, liveState }: RedirectPorts,
): Promise<readonly Placed[]> {
  const objects = await objectsAfter(projectId, [...new Set(redirects.flatMap(keysOf))], changed, liveState)
  const pages = [
    ...redirects.flatMap(({ to }) => (to.kind === 'page' ? [to.pageId] : [])),
    ...[...objects.values()].flatMap(({ owner }) => (owner.kind === 'redirect' ? [owner.id as PageId] : [])),
  ]
  const paths = new Map<PageId, string | null>([
    ...(await redirectRows.pathsOf([...new Set(pages)])),
    ...changed.paths,
  ])
  const targets = pages.flatMap((id) => {
    const path = paths.get(id) ?? null
    return path === null ? [] : keysAt(path)
  })
  for (const [key, object] of await objectsAfter(projectId, targets, changed, liveState))
    objects.set(key, object)
  const ends = placeRedirects(redirects, {
    pathOf: (page) => paths.get(page) ?? null,
    kindAt(key) {
      const object = objects.get(key)
      return object === undefined ? null : objectKind(key, object.owner.kind)
    },
    pageBehind(key) {
      const owner = objects.get(key)?.owner
      return owner?.kind === 'redirect' ? (owner.id as PageId) : null
    },
    isTaken(key) {
      const object = objects.get(key)
      return object !== undefined && object.owner.kind !== 'site-redirect'
    },
  })
  const copied = ends.flatMap(({ redirect, end, key }) =>
    key !== null && end !== null && isCopy(redirect.from, end) ? [end.key] : [],
  )
  const uploaded = new Map(changed.uploads.map(({ artifact, size }) => [artifact.key, size]))
  const sizes = new Map([...(await redirectRows.sizesOf(projectId, copied)), ...uploaded])
  return ends.map(({ redirect, end, key }) => ({
    id: redirect.id,
    key,
    end,
    artifact: key === null || end === null ? null : artifactOf(redirect, key, end),
  }))

  function artifactOf({ from }: ProjectRedirect, key: string, end: RedirectEnd): Artifact {
    if (!isCopy(from, end)) return siteRedirectArtifact(key, end, site)
    const size = sizes.get(end.key) ?? 0
    const digest = objects.get(end.key)?.digest ?? ''
    const owner = { kind: 'site-redirect', id: end.key } as const
    return { key, stage: 'index', body: NO_BYTES, owner, copied: { key: end.key, digest, size } }
  }
}

const NO_BYTES = new Uint8Array()

/** Keys of the objects on which a redirect depends. */
function keysOf({ from, to }: ProjectRedirect): readonly string[] {
  const own = [from.slice(1), redirectKey(from)].flatMap((key) => [key, `${key}/index.html`])
  return to.kind === 'path' ? [...own, ...keysAt(to.path)] : own
}

type ObjectAfter = Pick<LiveObject, 'owner'> & { readonly digest: string }

/** Next objects at these keys. */
async function objectsAfter(
  projectId: ProjectId,
  keys: readonly string[],
  { uploads, deletes }: ChangedSite,
  liveState: RedirectPorts['liveState'],
): Promise<Map<string, ObjectAfter>> {
  const found = await liveState.objectsAt(projectId, keys)
  const wanted = new Set(keys)
  const after = new Map(
    found.flatMap(({ key, owner, digest }) => (digest === null ? [] : [[key, { owner, digest }] as const])),
  )
  for (const { key } of deletes) after.delete(key)
  for (const upload of uploads) {
    const { artifact, digest } = upload
    if (wanted.has(artifact.key)) after.set(artifact.key, { owner: artifact.owner, digest })
  }
  return after
}
