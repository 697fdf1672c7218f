import type { Artifact } from '../../domain/artifact.ts'
import type { PageWarning } from '../../domain/diagnostic.ts'
import {
  isSamePath,
  MAX_REDIRECT_PATHS,
  REDIRECT_PATH_RULE,
  readRedirectPath,
  redirectKey,
} from '../../domain/redirect-path.ts'
import { redirectArtifact } from '../../render/site-files/redirect.ts'
import type { LiveObject } from '../ledger/live-state.ts'
import type { RenderedRelease } from './live-page-row.ts'
import type { PageToRender } from './projected-site.ts'

/** Maximum number of previous paths that redirect to a page; each move of the page rewrites all of them. */
const MAX_PREVIOUS_PATHS = 5

export interface Redirects {
  /** Previous paths of the page, newest first, without those that its author names. */
  readonly previousPaths: readonly string[]
  readonly artifacts: readonly Artifact[]
}

/**
 * Redirects to a page from its previous paths, as long as it still owns them, and from the paths its author names.
 *
 * Each redirect leads directly to the page, so there are no chains, and none starts at a path of a page, so there
 * are no loops.
 *
 * @param owned objects that the page owns on the CDN, redirects included.
 * @param isTaken whether a page of this batch goes live at a path, or another page redirects from it.
 */
export function pageRedirects(
  { claimed, placed }: Pick<RenderedRelease, 'claimed' | 'placed'>,
  owned: readonly LiveObject[],
  isTaken: (path: string) => boolean,
): Redirects {
  if (placed.site.hostingMode === 'data_mode') return NONE
  const previousPaths = previousPathsOf(claimed, owned, isTaken)
  const paths = new Set([...previousPaths, ...claimed.redirectFrom])
  if (paths.size === 0) return NONE
  return { previousPaths, artifacts: [...paths].map((path) => redirectArtifact(path, placed)) }
}

const NONE: Redirects = { previousPaths: [], artifacts: [] }

function previousPathsOf(
  { live }: RenderedRelease['claimed'],
  owned: readonly LiveObject[],
  isTaken: (path: string) => boolean,
): readonly string[] {
  if (live === null) return []
  const own = new Set(owned.map(({ key }) => key))
  const candidates = [...new Set([live.facts.path, ...live.redirects])]
  return candidates
    .filter((path) => !isTaken(path) && own.has(redirectKey(path)))
    .slice(0, MAX_PREVIOUS_PATHS)
}

/** Warnings about redirect paths in the page that have no effect. */
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
