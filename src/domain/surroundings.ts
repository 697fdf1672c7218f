import type { LINK_SETTINGS, LOCALE_SETTINGS } from './settings.ts'

/** The name in the API of a setting that holds links of what surrounds a page. */
export type LinkSetting = (typeof LOCALE_SETTINGS)[(typeof LINK_SETTINGS)[number]]

/** Where the links of what surrounds the pages of a language lead. */
export interface Surroundings {
  /** Path of the page that logo, name and breadcrumbs lead to; absent for the front page of the language. */
  readonly home?: string
  /** The settings whose links lead to translations: those that the language does not have itself. */
  readonly inherited?: readonly LinkSetting[]
  /** Pages that these settings link to and that documents in the language replace or mark, by path. */
  readonly pages?: Readonly<Record<string, LinkedPage>>
}

/** The page that a link leads to. */
export interface LinkedPage {
  readonly path: string
  /** The language of a page that has no translation; absent for a translation. */
  readonly hreflang?: string
}
