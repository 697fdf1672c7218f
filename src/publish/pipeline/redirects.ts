import type { Artifact } from '../../domain/artifact.ts'
import type { PageWarning } from '../../domain/diagnostic.ts'
import type { PageId } from '../../domain/ids.ts'
import type { SiteIdentity } from '../../domain/live-page.ts'
import {
  isSamePath,
  MAX_FORMER_PATHS,
  MAX_REDIRECT_PATHS,
  pathOfKey,
  REDIRECT_PATH_RULE,
  readRedirectPath,
  redirectKey,
} from '../../domain/redirect-path.ts'
import { redirectArtifact } from '../../render/site-files/redirect.ts'
import type { FormerAddress, LiveState } from '../ledger/live-state.ts'
import type { RenderedRelease } from './live-page-row.ts'
import type { PageToRender } from './projected-site.ts'

export interface Redirects {
  /** Previous paths of the page, newest first, without those named by its author. */
  readonly previousPaths: readonly string[]
  readonly artifacts: readonly Artifact[]
}

/**
 * Redirects to a page from its previous paths, where nothing else is, and from the paths its author names.
 *
 * Each redirect leads directly to the page, so there are no chains, and none starts at a path of a page, so there
 * are no loops.
 *
 * @param isTaken whether a page of this batch goes live at a path, or another page redirects from it.
 */
export function pageRedirects(
  { claimed, placed }: Pick<RenderedRelease, 'claimed' | 'placed'>,
  isTaken: (path: string) => boolean,
): Redirects {
  if (placed.site.hostingMode === 'data_mode') return NONE
  const previousPaths = claimed.formerPaths.filter((path) => !isTaken(path)).slice(0, MAX_FORMER_PATHS)
  const paths = new Set([...previousPaths, ...claimed.redirectFrom])
  if (paths.size === 0) return NONE
  return { previousPaths, artifacts: [...paths].map((path) => redirectArtifact(path, placed)) }
}

const NONE: Redirects = { previousPaths: [], artifacts: [] }

/** Keys of redirects from unnamed paths, which give way to lists. */
export function formerKeys(
  { claimed }: Pick<RenderedRelease, 'claimed'>,
  { previousPaths }: Redirects,
): readonly string[] {
  const stated = new Set(claimed.redirectFrom)
  return previousPaths.filter((path) => !stated.has(path)).map(redirectKey)
}

/**
 * Redirects at paths that are free again, each to the page that was there last.
 *
 * @param freed keys of objects that are removed.
 * @param paths of pages that a release puts live or takes off the site; null for the latter.
 */
export async function restoredRedirects(
  site: SiteIdentity,
  freed: readonly string[],
  paths: ReadonlyMap<PageId, string | null>,
  { formersAt }: Pick<LiveState, 'formersAt'>,
  isForgotten: (former: FormerAddress) => boolean = () => false,
): Promise<readonly Artifact[]> {
  const documents = freed.filter((key) => key.endsWith('.html'))
  if (site.hostingMode === 'data_mode' || documents.length === 0) return []
  const restored = new Map<string, Artifact>()
  const formers = await formersAt(site.projectId, documents.map(pathOfKey))
  for (const { path, pageId, livePath } of formers.filter((former) => !isForgotten(former))) {
    const to = paths.has(pageId) ? paths.get(pageId) : livePath
    if (to == null || to === path || restored.has(path)) continue
    restored.set(path, redirectArtifact(path, { page: { id: pageId }, site, path: to }))
  }
  return [...restored.values()]
}

/** Warnings about redirect paths of the page without an effect. */
export function redirectWarnings({
  claimed,
  placed,
}: Pick<PageToRender, 'claimed' | 'placed'>): readonly PageWarning[] {
  if (placed.site.hostingMode === 'data_mode') return []
  const used = new Set(claimed.redirectFrom)
  return placed.fields.redirectFrom.flatMap((written, index) => {
    const message = problemOf(written, index, { used, own: placed.path })
    return message === null ? [] : [{ code: 'QN-UNUSED-REDIRECT', at: `redirect_from[${index}]`, message }]
  })
}

function problemOf(
  written: string,
  index: number,
  { used, own }: { readonly used: ReadonlySet<string>; readonly own: string },
): string | null {
  const shown = JSON.stringify(written.slice(0, 200))
  if (index >= MAX_REDIRECT_PATHS)
    return `${shown} exceeds the limit of ${MAX_REDIRECT_PATHS} redirect paths.`
  const path = readRedirectPath(written)
  if (path === null) return `${shown} ${REDIRECT_PATH_RULE}`
  return used.has(path) || isSamePath(path, own)
    ? null
    : `Another object of the site is served at ${path}, so it does not redirect to this page.`
}
