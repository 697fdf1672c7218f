import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { withoutOuterSlashes } from '../domain/end-slashes.ts'
import type { Addressed } from '../domain/route.ts'
import type { PageFile } from './page-file.ts'

/** A page file with its resolved parent. */
export interface PlacedFile {
  readonly file: PageFile
  readonly parent: Addressed | null
}

/**
 * Resolves the parent of each docs page: the page in `parent`, otherwise the `index` of the nearest folder with one.
 *
 * @returns the pages with parents before their children, and errors for parents that cannot be resolved.
 */
export function withParents(files: readonly PageFile[]): {
  readonly placed: readonly PlacedFile[]
  readonly errors: readonly Diagnostic[]
} {
  const docs = new Map(
    files.filter(({ page }) => page.type === 'docs').map((file) => [addressText(file.page), file]),
  )
  const errors: Diagnostic[] = []
  const circular = new Set<PageFile>()
  const parents = new Map(files.map((file) => [file, parentOf(file)]))
  const depths = new Map(files.map((file) => [file, depthOf(file)]))
  const parentsFirst = files.toSorted((one, other) => (depths.get(one) ?? 0) - (depths.get(other) ?? 0))
  return { placed: parentsFirst.map(placedFile), errors }

  function placedFile(file: PageFile): PlacedFile {
    const parent = circular.has(file) ? null : (parents.get(file) ?? null)
    return { file, parent: parent === null ? null : addressOf(parent) }
  }

  function parentOf(file: PageFile): PageFile | null {
    if (file.page.type !== 'docs' || file.parent === null) return null
    if (file.parent === undefined) return defaultParent(file.page)
    const named = find(file.parent, file.page.subroute)
    if (named === null) refuse(file, `parent: no docs page, or more than one, is called "${file.parent}".`)
    return named
  }

  /** Finds a page by `subroute/slug`, or by slug: first in the same subroute, then elsewhere if it is unique there. */
  function find(written: string, subroute: string): PageFile | null {
    if (written.includes('/')) return docs.get(withoutOuterSlashes(written)) ?? null
    const elsewhere = [...docs.values()].filter(({ page }) => page.slug === written)
    return (
      docs.get(addressText({ subroute, slug: written })) ??
      (elsewhere.length === 1 ? (elsewhere[0] ?? null) : null)
    )
  }

  function defaultParent(page: Addressed): PageFile | null {
    const nearest = nearestIndex(page, (address) => docs.has(addressText(address)))
    return nearest === null ? null : (docs.get(addressText(nearest)) ?? null)
  }

  function depthOf(file: PageFile): number {
    const above = new Set<PageFile>()
    for (let at = parents.get(file) ?? null; at !== null && !above.has(at); at = parents.get(at) ?? null) {
      if (at === file) {
        circular.add(file)
        refuse(file, 'parent must not lead back to the page itself.')
      }
      above.add(at)
    }
    return above.size
  }

  function refuse({ page, parentPlace }: PageFile, message: string): void {
    errors.push(diagnostic('QN-BAD-PARENT', page.source, message, { ...parentPlace, field: 'parent' }))
  }
}

/** The default parent of a docs page; null for a page at the top. */
export function nearestIndex(
  { subroute, slug }: Addressed,
  isDocs: (address: Addressed) => boolean,
): Addressed | null {
  const own = { subroute, slug: 'index' }
  if (slug !== 'index' && isDocs(own)) return own
  if (subroute === '') return null
  return nearestIndex({ subroute: subroute.replace(/(^|\/)[^/]*$/, ''), slug: '' }, isDocs)
}

function addressOf({ page: { subroute, slug } }: PageFile): Addressed {
  return { subroute, slug }
}

/** `subroute/slug`, or the slug alone where the subroute is empty. */
export function addressText({ subroute, slug }: Addressed): string {
  return subroute === '' ? slug : `${subroute}/${slug}`
}
