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
  const routes = [...pages.values()].map(({ route }) => route.toLowerCase())
  const known = new Set<string>()
  const shown = languages.flatMap(({ folder, tag, label }): readonly JsonObject[] => {
    const code = readLanguageTag(tag)?.tag
    const subroute = folder.toLowerCase()
    const hasPages =
      subroute === '' || routes.some((route) => route === subroute || route.startsWith(`${subroute}/`))
    // Of two with one tag or one folder the first counts: the setting has each once.
    const names = [`tag ${code}`, `folder ${subroute}`]
    if (code === undefined || !hasPages || names.some((name) => known.has(name))) return []
    for (const name of names) known.add(name)
    return [{ code, label: label ?? nameOf(code), ...(subroute !== '' && { subroute }) }]
  })
  return shown.length < 2 ? undefined : shown
}

/** The name of a language in itself, e.g. `Français`. */
function nameOf(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
}
