import type { Owner } from './artifact.ts'
import type { PageId, RedirectId } from './ids.ts'
import { redirectKey } from './redirect-path.ts'
import {
  type ProjectRedirect,
  type RedirectChange,
  type RedirectTarget,
  writtenTarget,
} from './site-redirect.ts'
import { foldedAddress } from './slug.ts'

/* A requested redirect. */

/** A redirect that is asked for. */
export interface WantedRedirect {
  /** Result of `readRedirectPath`. */
  readonly from: string
  readonly to: RedirectTarget
}

export interface DecidingSite {
  readonly redirects: readonly ProjectRedirect[]
  /** Live pages by path. */
  readonly pages: ReadonlyMap<string, PageId>
  /** Owners of the objects of the site by key. */
  readonly owners: ReadonlyMap<string, Owner>
}

export type RedirectDecision =
  | { readonly outcome: 'created' | 'updated' | 'unchanged'; readonly redirect: ProjectRedirect }
  | { readonly outcome: 'conflict'; readonly message: string }

export interface DecisionPorts {
  readonly newId: () => RedirectId
  /** ISO 8601 UTC. */
  readonly now: string
}

/** Keys of the objects that decide about redirects: see `DecidingSite`. */
export function decidingKeys(wanted: readonly WantedRedirect[]): readonly string[] {
  return wanted.flatMap(({ from, to }) => [
    from.slice(1),
    redirectKey(from),
    ...(to.kind === 'path' ? [redirectKey(to.path)] : []),
  ])
}

/** Paths at which live pages decide about redirects. */
export function decidingPaths(wanted: readonly WantedRedirect[]): readonly string[] {
  return wanted.flatMap(({ from, to }) => [
    from,
    foldedAddress(from),
    ...(to.kind === 'path' ? [to.path, foldedAddress(to.path)] : []),
  ])
}

/**
 * Decides about each in turn. A target that is redirected itself is replaced by its end.
 *
 * @param replaces whether one gives an existing redirect another target; otherwise that is a conflict.
 */
export function decideRedirects(
  wanted: readonly WantedRedirect[],
  site: DecidingSite,
  replaces: boolean,
  { newId, now }: DecisionPorts,
): readonly RedirectDecision[] {
  const known = new Map(site.redirects.map((redirect) => [foldedAddress(redirect.from), redirect]))
  return wanted.map(({ from, to: written }) => {
    const to = settled(from, written, known, site)
    if (to === null) return conflict(`${from} would lead back to itself.`)
    const existing = known.get(foldedAddress(from))
    if (existing !== undefined && isSameTarget(existing.to, to))
      return { outcome: 'unchanged', redirect: existing }
    const taken = takenBy(from, site)
    if (taken !== null) return conflict(taken)
    if (existing !== undefined && !replaces)
      return conflict(`${from} already leads to ${shown(existing.to)}. Change or delete that redirect.`)
    const redirect = existing === undefined ? { id: newId(), from, to, createdAt: now } : { ...existing, to }
    known.set(foldedAddress(from), redirect)
    return { outcome: existing === undefined ? 'created' : 'updated', redirect }
  })
}

/** Returns the change that applies the decisions. */
export function changeOf(decisions: readonly RedirectDecision[]): RedirectChange {
  const put = new Map(
    decisions.flatMap((decision) =>
      decision.outcome === 'created' || decision.outcome === 'updated'
        ? [[decision.redirect.id, decision.redirect] as const]
        : [],
    ),
  )
  return { put: [...put.values()], remove: [] }
}

/**
 * The redirects from the addresses of a page that is deleted. A path that has one of the project keeps it. Null when
 * the target is one of the addresses.
 */
export function redirectsInPlaceOf(
  pageId: PageId,
  addresses: readonly string[],
  to: RedirectTarget,
  site: DecidingSite,
  { newId, now }: DecisionPorts,
): RedirectChange | null {
  const known = new Map(site.redirects.map((redirect) => [foldedAddress(redirect.from), redirect]))
  const own = new Set(addresses.map(foldedAddress))
  const end = settled('', to, known, site)
  if (end === null || (end.kind === 'page' && end.pageId === pageId)) return null
  if (end.kind === 'path' && own.has(foldedAddress(end.path))) return null
  const paths = addresses.filter((path) => !known.has(foldedAddress(path)))
  return { put: paths.map((from) => ({ id: newId(), from, to: end, createdAt: now })), remove: [] }
}

function conflict(message: string): RedirectDecision {
  return { outcome: 'conflict', message }
}

function takenBy(from: string, { pages, owners }: DecidingSite): string | null {
  if (pages.has(from) || pages.has(foldedAddress(from))) return `${from} is the path of a page.`
  const kinds = [redirectKey(from), from.slice(1)].flatMap((key) => owners.get(key)?.kind ?? [])
  if (kinds.includes('redirect'))
    return `${from} already leads to a page, which names it or was there before.`
  return kinds.some((kind) => kind !== 'site-redirect') ? `${from} is the path of a list or file.` : null
}

/** Returns the target, or the end of its redirects; null when it leads back. */
function settled(
  from: string,
  to: RedirectTarget,
  known: ReadonlyMap<string, ProjectRedirect>,
  { pages, owners }: DecidingSite,
): RedirectTarget | null {
  const seen = new Set([foldedAddress(from)])
  for (let end = to; ; ) {
    if (end.kind !== 'path') return end
    const { path, fragment } = end
    const owner = owners.get(redirectKey(path))
    const pageId =
      pages.get(path) ??
      pages.get(foldedAddress(path)) ??
      (owner?.kind === 'redirect' ? (owner.id as PageId) : undefined)
    if (pageId !== undefined) return { kind: 'page', pageId, fragment }
    const address = foldedAddress(path)
    if (seen.has(address)) return null
    seen.add(address)
    const next = known.get(address)?.to
    if (next === undefined) return end
    end = next.kind === 'url' || fragment === null ? next : { ...next, fragment }
  }
}

function isSameTarget(a: RedirectTarget, b: RedirectTarget): boolean {
  if (a.kind === 'url' || b.kind === 'url') return a.kind === b.kind && textOf(a) === textOf(b)
  return a.kind === b.kind && textOf(a) === textOf(b) && a.fragment === b.fragment
}

function textOf(to: RedirectTarget): string {
  return to.kind === 'page' ? to.pageId : to.kind === 'url' ? to.url : to.path
}

function shown(to: RedirectTarget): string {
  return to.kind === 'page' ? `page_${to.pageId}` : writtenTarget(to)
}
