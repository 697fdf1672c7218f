import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { readLanguageTag } from '../../domain/language-tag.ts'
import { listOf, textOf } from '../config/config-values.ts'
import type { PageTarget } from '../conversion.ts'

/** A language of a source site. */
export interface SourceLanguage {
  /** The folder of its pages; empty for the main language. */
  readonly folder: string
  /** A language tag, with `-` or `_`. */
  readonly tag: string
  readonly label?: string | undefined
  /** The path of its front page, where that is not its folder. */
  readonly home?: string
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
  const shown = languages.flatMap(({ folder, tag, label, home }): readonly JsonObject[] => {
    const code = readLanguageTag(tag)?.tag
    const subroute = folder.toLowerCase()
    const hasPages =
      subroute === '' || routes.some((route) => route === subroute || route.startsWith(`${subroute}/`))
    // The first language with a tag or a folder counts: the setting has each once.
    const names = [`tag ${code}`, `folder ${subroute}`]
    if (code === undefined || !hasPages || names.some((name) => known.has(name))) return []
    for (const name of names) known.add(name)
    return [
      {
        code,
        label: label ?? nameOf(code),
        ...(subroute !== '' && { subroute }),
        ...(home !== undefined && { home }),
      },
    ]
  })
  return shown.length < 2 ? undefined : shown
}

/**
 * The setting `by_locale`, and the folders of languages that the site does not have.
 *
 * @param locales as `connectedLocales` returns them.
 * @param own fields of each language, by its folder. Languages without any are no part of the result.
 */
export function settingsByLocale(
  locales: JsonValue | undefined,
  own: Iterable<readonly [folder: string, fields: JsonObject]>,
): { readonly byLocale: JsonObject | undefined; readonly unknown: readonly string[] } {
  const codes = new Map(
    listOf(locales).map(({ code, subroute }) => [textOf(subroute) ?? '', textOf(code) ?? '']),
  )
  const given = [...own].filter(([, fields]) => Object.keys(fields).length > 0)
  const known = given.flatMap(([folder, fields]) => {
    const code = codes.get(folder.toLowerCase())
    return code === undefined ? [] : [[code, fields] as const]
  })
  return {
    byLocale: known.length === 0 ? undefined : Object.fromEntries(known),
    unknown: given.flatMap(([folder]) => (codes.has(folder.toLowerCase()) ? [] : [folder])),
  }
}

/** The name of a language in itself, e.g. `Français`. */
function nameOf(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
}
