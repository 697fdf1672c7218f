import type { Artifact } from '../../domain/artifact.ts'
import type { PageWarning } from '../../domain/diagnostic.ts'
import {
  MAX_REDIRECT_PATHS,
  REDIRECT_PATH_RULE,
  readRedirectPath,
  redirectKey,
} from '../../domain/redirect-path.ts'
import { redirectArtifact } from '../../render/site-files/redirect.ts'
import type { LiveObject } from '../ledger/live-state.ts'
import type { RenderedRelease } from './live-page-row.ts'
import type { PageToRender } from './projected-site.ts'

/** Old paths of a page that redirect; each move writes every one of them anew. */
const MAX_LEFT = 5

export interface Redirects {
  /** Paths the page has left, newest first; not those that its author names. */
  readonly previousPaths: readonly string[]
  readonly artifacts: readonly Artifact[]
}

/**
 * Paths a page has left and that are still its own lead to where it goes live now, and so do those its author
 * names. Each leads there directly, so there are no chains, and none starts where a page lies, so there are no loops.
 *
 * @param owned what the page owns of what lies there, its redirects among them.
 * @param isTaken whether a page of this batch goes live at a path, or another redirects from it.
 */
export function pageRedirects(
  { claimed, placed }: Pick<RenderedRelease, 'claimed' | 'placed'>,
  owned: readonly LiveObject[],
  isTaken: (path: string) => boolean,
): Redirects {
  if (placed.site.hostingMode === 'data_mode') return NONE
  const left = leftPaths(claimed, owned, isTaken)
  const paths = new Set([...left, ...claimed.redirectFrom])
  if (paths.size === 0) return NONE
  return { previousPaths: left, artifacts: [...paths].map((path) => redirectArtifact(path, placed)) }
}

const NONE: Redirects = { previousPaths: [], artifacts: [] }

function leftPaths(
  { live }: RenderedRelease['claimed'],
  owned: readonly LiveObject[],
  isTaken: (path: string) => boolean,
): readonly string[] {
  if (live === null) return []
  const own = new Set(owned.map(({ key }) => key))
  const left = [...new Set([live.facts.path, ...live.redirects])]
  return left.filter((path) => !isTaken(path) && own.has(redirectKey(path))).slice(0, MAX_LEFT)
}

/** What is to be said of the paths its author names that do not lead to it. */
export function redirectWarnings({
  claimed,
  placed,
}: Pick<PageToRender, 'claimed' | 'placed'>): readonly PageWarning[] {
  if (placed.site.hostingMode === 'data_mode') return []
  const led = new Set([...claimed.redirectFrom, placed.path])
  return placed.fields.redirectFrom.flatMap((written, index) => {
    const message = whyNot(written, index, led)
    return message === null ? [] : [{ code: 'QN-UNUSED-REDIRECT', at: `redirect_from[${index}]`, message }]
  })
}

function whyNot(written: string, index: number, led: ReadonlySet<string>): string | null {
  const shown = JSON.stringify(written.slice(0, 200))
  if (index >= MAX_REDIRECT_PATHS) return `${shown} is one too many: at most ${MAX_REDIRECT_PATHS} are read.`
  const path = readRedirectPath(written)
  if (path === null) return `${shown} ${REDIRECT_PATH_RULE}`
  return led.has(path)
    ? null
    : `Something else of the site lies at ${path}, which does not lead to this page.`
}
