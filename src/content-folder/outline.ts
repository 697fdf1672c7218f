import { toPathList } from '../domain/redirect-path.ts'
import type { Addressed } from '../domain/route.ts'
import type { PageFile } from './page-file.ts'
import type { SitePage } from './site.ts'

/** What other pages of a folder depend on in this one. */
export interface PageOutline
  extends Pick<SitePage, 'source' | 'type' | 'subroute' | 'slug' | 'draft' | 'parent'> {
  /** As the file says it; undefined when it says nothing. */
  readonly parentWritten?: string | null | undefined
  /** Paths that are to lead to it, one after the other; undefined when there are none. */
  readonly redirectFrom?: string | undefined
}

export function outlineOf({ page, parent: parentWritten }: PageFile, parent: Addressed | null): PageOutline {
  const { source, type, subroute, slug, draft } = page
  const paths = toPathList(page.config['redirect_from'])
  const redirectFrom = paths.length === 0 ? undefined : paths.join(' ')
  return { source, type, subroute, slug, draft, parent, parentWritten, redirectFrom }
}

/** Whether nothing changes for the others: with the same words about its parent, the page has the same one. */
export function isSameOutline(file: PageFile, before: PageOutline): boolean {
  const now = outlineOf(file, before.parent)
  return OUTLINED.every((name) => now[name] === before[name])
}

const OUTLINED = ['source', 'type', 'subroute', 'slug', 'draft', 'parentWritten', 'redirectFrom'] as const
