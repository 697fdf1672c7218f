import type { LINK_SETTINGS, LOCALE_SETTINGS } from './settings.ts'

/** The API's name of a setting with links around the content of a page. */
export type LinkSetting = (typeof LOCALE_SETTINGS)[(typeof LINK_SETTINGS)[number]]

/** Targets of the links around the content of pages in one language. */
export interface Surroundings {
  /** Path of the page that logo, name and breadcrumbs lead to; absent for the front page of the language. */
  readonly home?: string
  /** Settings that the language inherits: their links lead to translations. */
  readonly inherited?: readonly LinkSetting[]
  /** Pages in these settings' links, by path, if documents in the language replace or mark them. */
  readonly pages?: Readonly<Record<string, LinkedPage>>
}

/** The page that a link leads to. */
export interface LinkedPage {
  readonly path: string
  /** The language of a page that has no translation; absent for a translation. */
  readonly hreflang?: string
}
