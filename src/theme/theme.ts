import type { ListingView, NavPageView, NotFoundView, PageView, SectionView } from './view.ts'

/**
 * A theme, loaded: templates that turn views into HTML, and the files they need.
 * Templates are code, so themes are the operator's; a tenant only chooses one by name.
 */
export interface Theme {
  readonly name: string
  /** Changes whenever a template, a style or a script of the theme does. */
  readonly digest: string
  readonly assets: ThemeAssets
  /** Pictures and fonts of its own, by the names its author gave them. */
  readonly files: ReadonlyMap<string, ThemeAsset>
  /** Runs in `404.html` beside the script of every page: leads into the site wherever that is read. */
  readonly notFoundScript: string
  /** What its pages say in a language, by name; in English what that lacks. */
  labels(lang: string): Labels
  /** One section; `view.type` picks the template, types without one are rendered generically. */
  section(view: SectionView): string
  /** A whole page; `view.page.type` picks the layout. */
  page(view: PageView): string
  /** `404.html`. */
  notFound(view: NotFoundView): string
  /** The list of all docs pages of a subroute, for readers without script. */
  navPage(view: NavPageView): string
  /** A page of the list of a folder's articles. */
  listing(view: ListingView): string
}

/** The words a page has besides its author's, by name, e.g. `skip`. */
export type Labels = Readonly<Record<string, string>>

export interface ThemeAssets {
  /** The style sheet of every page. */
  readonly style: ThemeAsset
  /** Enhances pages: copy buttons, the rest of the docs sidebar, menus. No page needs it to be read. */
  readonly script: ThemeAsset
  /** The search dialog and its style, loaded when a reader first asks for it. */
  readonly search: ThemeAsset
  readonly searchStyle: ThemeAsset
  /** Starts the analytics the owner asked for; linked only then. */
  readonly analytics: ThemeAsset
}

export interface ThemeAsset {
  /** `_assets/{name}.{hash}.{ext}`: the hash is of the bytes, so it may be cached for ever. */
  readonly key: string
  readonly body: Uint8Array
}
