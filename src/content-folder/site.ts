import type { PageDraft, TypeFields } from '../domain/page.ts'
import type { Addressed } from '../domain/route.ts'
import type { Settings } from '../domain/settings.ts'

/** A content folder, read: all that a project needs, in the words of the domain. */
export interface Site {
  readonly name: string
  /** Absolute URL at which the site is read, without a slash at its end; null where nobody said. */
  readonly origin: string | null
  /** What `site.yaml` says; everything else keeps its default. */
  readonly settings: Partial<Settings>
  /** Parents come before their children; else in the order of their sources. */
  readonly pages: readonly SitePage[]
  /** In the order of their paths. */
  readonly assets: readonly SiteAsset[]
}

/** A page as a file describes it: what creating it takes, but for the ids a server gives. */
export interface SitePage extends Omit<PageDraft, 'projectId' | 'ownFields'> {
  /** The file, relative to the folder, with forward slashes. */
  readonly source: string
  readonly ownFields: Partial<Omit<TypeFields, 'parentPage'>>
  /** The docs page this one stands beneath; always a page of the same site. */
  readonly parent: Addressed | null
  /** Kept, but not to be published. */
  readonly draft: boolean
}

/** A file that is served as it is. */
export interface SiteAsset {
  /** Where it is served, without a leading slash: `static/images/a.svg` has the path `images/a.svg`. */
  readonly path: string
  /** The file, relative to the folder, with forward slashes. */
  readonly source: string
}
