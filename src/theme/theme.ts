import type { ComponentSchema } from '../domain/component.ts'
import type { JsonObject } from '../domain/json.ts'
import type { DeclaredTypes } from './value-types.ts'
import type {
  ComponentView,
  ListingView,
  NavPageView,
  NotFoundView,
  PageView,
  SectionView,
  TagsView,
} from './view.ts'

/**
 * A loaded theme: templates for views, and files for pages. Templates are code, so only operators install themes.
 * Tenants choose one by name.
 */
export interface Theme {
  readonly name: string
  /** Changes with every template, style and script of the theme. */
  readonly digest: string
  readonly assets: ThemeAssets
  readonly colours: ThemeColours
  /** Origins that forms of the templates are sent to, e.g. of a newsletter. */
  readonly formOrigins: readonly string[]
  /** Names of the layouts that a page may choose instead of the one of its type, sorted. */
  readonly layouts: readonly string[]
  /** Types of sections with a template in the theme, whether Quoin has the type or not. */
  readonly ownSections: ReadonlySet<string>
  /** Types of custom fields, and of props of the theme's own sections. */
  readonly types: DeclaredTypes
  /** Samples of the theme's own sections by type, for those who try the theme. */
  readonly samples: ReadonlyMap<string, JsonObject>
  /** Schemas of the components with a template in the theme, by name. */
  readonly components: ReadonlyMap<string, ComponentSchema>
  /** The files in `assets/` of the theme by name. */
  readonly files: ReadonlyMap<string, ThemeAsset>
  /** Runs in `404.html` in addition to the site's script. Points links at the site wherever it is served. */
  readonly notFoundScript: string
  /** The scripts that find forms of words, by language. */
  readonly stemmers: ReadonlyMap<string, ThemeAsset>
  /** The script that finds forms of words in a language; null if there is none. Loaded when search is opened. */
  stemmer(lang: string): ThemeAsset | null
  /** Labels in a language, by name. Missing labels are English. */
  labels(lang: string): Labels
  /** Reports whether a template reads this field of the `config` of a page. */
  readsField(field: string): boolean
  /** Renders one section. `view.type` selects the template; types without one use the generic template. */
  section(view: SectionView): string
  /** Renders one component. */
  component(view: ComponentView): string
  /** Renders a page with its chosen layout, else with that of its type. */
  page(view: PageView): string
  /** Renders `404.html`. */
  notFound(view: NotFoundView): string
  /** Renders the list of all docs pages of a subroute, for readers without JavaScript. */
  navPage(view: NavPageView): string
  /** Renders one page of the article list of a blog or a tag. */
  listing(view: ListingView): string
  /** Renders the list of the tags of a blog, or of all blogs. */
  tags(view: TagsView): string
}

/** The colours of a theme that are shown outside of its pages. Values of CSS, each for light and for dark mode. */
export interface ThemeColours {
  /** `light dark` follows the reader's preference; the others are fixed. */
  readonly scheme: 'light dark' | 'light' | 'dark'
  readonly brand: ThemeColour
  readonly background: ThemeColour
}

export interface ThemeColour {
  readonly light: string
  readonly dark: string
}

/** Words that a theme adds to a page, by name, e.g. `skip`. */
export type Labels = Readonly<Record<string, string>>

export interface ThemeAssets {
  /** Style sheet of all pages. */
  readonly style: ThemeAsset
  /** Style of sections and cards. Pages with any of these load it before `style`. */
  readonly sectionStyle: ThemeAsset
  /** Enhances pages: copy buttons, the full docs sidebar, menus. All pages are readable without it. */
  readonly script: ThemeAsset
  /** The search dialog and its style, loaded on first use. */
  readonly search: ThemeAsset
  readonly searchStyle: ThemeAsset
  /** Starts analytics. Linked only from sites that use it. */
  readonly analytics: ThemeAsset
  /** Reports visits to the site itself. Linked only from sites that count them. */
  readonly visits: ThemeAsset
  /** The theme's own `script.js`, which every page runs once it is parsed; absent in themes without one. */
  readonly ownScript?: ThemeAsset
}

export interface ThemeAsset {
  /** `_assets/{name}.{hash}.{ext}`, with a hash of the bytes, so that it can be cached forever. */
  readonly key: string
  readonly body: Uint8Array
}
