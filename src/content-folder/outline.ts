import { ownTheme } from '../domain/page.ts'
import { toPathList } from '../domain/redirect-path.ts'
import type { Addressed } from '../domain/route.ts'
import type { PageFile } from './page-file.ts'
import type { SitePage } from './site.ts'

/** The fields of a page that other pages depend on. An edit that keeps them cannot affect other pages. */
export interface PageOutline
  extends Pick<SitePage, 'source' | 'type' | 'subroute' | 'slug' | 'draft' | 'parent'> {
  /** The field `parent` of the file; undefined if it has none. */
  readonly parentField?: string | null | undefined
  /** Paths of `redirect_from`, one a line; undefined if there are none. */
  readonly redirectFrom?: string | undefined
  /** Names of fields that Quoin does not know, separated by line breaks; undefined if there are none. */
  readonly customFields?: string | undefined
  /** The theme that the page states; undefined if it has that of the site. */
  readonly theme?: string | undefined
  /** The attachments that the page names, separated by line breaks; undefined if there are none. */
  readonly attachments?: string | undefined
  /** Files that are part of the page's Markdown, separated by line breaks; undefined if there are none. */
  readonly includes?: string | undefined
}

/** @param named attachments that the page names. */
export function outlineOf(
  { page, parent: parentField, customFields: custom, includes: included = [] }: PageFile,
  parent: Addressed | null,
  named: readonly string[],
): PageOutline {
  const { source, type, subroute, slug, draft } = page
  const paths = toPathList(page.config['redirect_from'])
  const redirectFrom = paths.length === 0 ? undefined : paths.join('\n')
  const customFields = custom.length === 0 ? undefined : custom.join('\n')
  const attachments = named.length === 0 ? undefined : named.join('\n')
  const includes = included.length === 0 ? undefined : included.join('\n')
  const own = { redirectFrom, customFields, theme: ownTheme(page) ?? undefined, attachments, includes }
  return { source, type, subroute, slug, draft, parent, parentField, ...own }
}

/**
 * Reports whether an edit keeps the outline. An unchanged `parent` field leads to the same parent, because other
 * outlines are unchanged too.
 */
export function isSameOutline(
  file: PageFile,
  attachments: readonly string[],
  previous: PageOutline,
): boolean {
  const next = outlineOf(file, previous.parent, attachments)
  return FIELDS.every((name) => next[name] === previous[name])
}

const FIELDS = [
  'source',
  'type',
  'subroute',
  'slug',
  'draft',
  'parentField',
  'redirectFrom',
  'customFields',
  'theme',
  'attachments',
  'includes',
] as const
