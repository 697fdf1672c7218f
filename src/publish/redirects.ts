import type { Artifact } from '../domain/artifact.ts'
import { redirectArtifact, redirectKey } from '../render/redirect.ts'
import type { RenderedRelease } from './going-live.ts'
import type { LiveObject } from './ledger.ts'

/** Old paths of a page that redirect; each move writes every one of them anew. */
const MAX_REDIRECTS = 5

export interface Redirects {
  /** Newest first. */
  readonly paths: readonly string[]
  readonly artifacts: readonly Artifact[]
}

/**
 * Paths a page has left and that are still its own lead to where it goes live now. Each leads there
 * directly, so there are no chains, and none starts where a page lies, so there are no loops.
 *
 * @param owned what the page owns of what lies there, its redirects among them.
 * @param taken paths that pages of this batch go live at.
 */
export function redirectsTo(
  { claimed, live }: RenderedRelease,
  owned: readonly LiveObject[],
  taken: ReadonlySet<string>,
): Redirects {
  if (claimed.live === null || live.site.hostingMode === 'data_mode') return NONE
  const own = new Set(owned.map(({ key }) => key))
  const left = [...new Set([claimed.live.facts.path, ...claimed.live.redirects])]
  const paths = left.filter((path) => !taken.has(path) && own.has(redirectKey(path))).slice(0, MAX_REDIRECTS)
  return { paths, artifacts: paths.map((path) => redirectArtifact(path, live)) }
}

const NONE: Redirects = { paths: [], artifacts: [] }
