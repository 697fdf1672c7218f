import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { readLanguageTag } from '../../domain/language-tag.ts'
import type { PageTarget } from '../conversion.ts'

/** A language of a source site. */
export interface SourceLanguage {
  /** The folder of its pages; empty for the main language. */
  readonly folder: string
  /** A language tag, with `-` or `_`. */
  readonly tag: string
  readonly label?: string | undefined
}

/**
 * The setting `locales`, which connects the pages of the languages by their paths. Languages without pages are left out,
 * and a site in one language has none.
 */
export function connectedLocales(
  languages: readonly SourceLanguage[],
  pages: ReadonlyMap<string, PageTarget>,
): JsonValue | undefined {
  const routes = [...pages.values()].map(({ route }) => route)
  const shown = languages.filter(
    ({ folder, tag }) =>
      readLanguageTag(tag) !== null &&
      (folder === '' || routes.some((route) => route === folder || route.startsWith(`${folder}/`))),
  )
  if (shown.length < 2) return undefined
  return shown.map(({ folder, tag, label }): JsonObject => {
    const code = readLanguageTag(tag)?.tag ?? tag
    return { code, label: label ?? nameOf(code), ...(folder !== '' && { subroute: folder.toLowerCase() }) }
  })
}

/** The name of a language in itself, e.g. `Français`. */
function nameOf(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
}
