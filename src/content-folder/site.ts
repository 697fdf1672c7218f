import type { MediaSource } from '../domain/media.ts'
import type { PageDraft, TypeFields } from '../domain/page.ts'
import type { Addressed } from '../domain/route.ts'
import type { Settings } from '../domain/settings.ts'
import type { RedirectTarget, SiteRedirect } from '../domain/site-redirect.ts'
import type { Skill } from '../domain/skill.ts'

/** A content folder as domain values. */
export interface Site {
  readonly name: string
  /** Absolute URL of the site, without a trailing slash; null if `site.yaml` has none. */
  readonly origin: string | null
  /** The settings in `site.yaml`. Others keep their defaults. */
  readonly settings: Partial<Settings>
  /** Parents come before their children, other pages in the order of their sources. */
  readonly pages: readonly SitePage[]
  /** Files of `static/`, and attachments that the site names. Sorted by source. */
  readonly assets: readonly SiteAsset[]
  /** Builds derive images as AVIF, and not as WebP alone; absent for no. */
  readonly avif?: boolean
  /** The `id` in `site.yaml`; absent for none. */
  readonly folderId?: string
  /** The time zone of dates without a time; absent for UTC. */
  readonly timeZone?: string
  /** Agent skills; absent for none. */
  readonly skills?: readonly Skill[]
  /** Redirects of `redirects.yaml` that belong to no page; absent for none. */
  readonly redirects?: readonly FolderRedirect[]
  /** Images by their paths on the site, with their data for pages; absent before they are read. */
  readonly media?: MediaSource
}

/** A redirect to something else than a page: a heading, a list, a feed, a file or another site. */
export interface FolderRedirect extends SiteRedirect {
  readonly to: Exclude<RedirectTarget, { readonly kind: 'page' }>
  /** Its line in `redirects.yaml`. */
  readonly line: number
}

/** A page as its file describes it: everything that is needed to create it, except ids. */
export interface SitePage extends Omit<PageDraft, 'projectId' | 'ownFields'> {
  /** The file, relative to the folder, with forward slashes. */
  readonly source: string
  readonly ownFields: Partial<Omit<TypeFields, 'parentPage'>>
  /** The description of an API that the page was generated from. Absent for a page with a file of its own. */
  readonly generatedFrom?: string
  /** The parent docs page, always of the same site; null at the top. */
  readonly parent: Addressed | null
  /** True for a page that must not be published. */
  readonly draft: boolean
  /** Attachments that the page names, relative to the folder, sorted. Absent if there are none. */
  readonly attachments?: readonly string[]
}

/** A file that is served unchanged: one of `static/`, or an attachment. */
export interface SiteAsset {
  /** The path on the site without a leading slash, not encoded: `images/a.svg` for `static/images/a.svg`. */
  readonly path: string
  /** The file, relative to the folder, with forward slashes. */
  readonly source: string
  /** The pages that name an attachment, and `site.yaml` if it does; null for a file of `static/`. */
  readonly namedBy: readonly string[] | null
}
