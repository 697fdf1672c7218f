import { join } from 'node:path'

import { z } from 'zod'

import type { Labels } from './theme.ts'
import { ThemeError } from './theme-error.ts'
import { isPresent, parseThemeJson, positionInJson, readThemeFile } from './theme-files.ts'

const Languages = z.record(z.string(), z.record(z.string(), z.string().max(1000)))
const WithEnglish = Languages.refine((read) => 'en' in read, 'en is missing')

const FILE = 'labels.json'

/** Labels by primary language, e.g. `zh`. English exists always and is complete. */
export type LabelsByLanguage = Readonly<Record<string, Labels>>

/** @throws {ThemeError} when `labels.json` is missing or invalid. */
export async function readLabels(templates: string): Promise<LabelsByLanguage> {
  return parseThemeJson(WithEnglish, await readThemeFile(join(templates, FILE)))
}

/**
 * Adds the labels that a theme overrides or defines in its own `labels.json`, if it has one.
 *
 * @throws {ThemeError} when the file is invalid, or defines a label that English lacks.
 */
export async function withCustomLabels(shared: LabelsByLanguage, theme: string): Promise<LabelsByLanguage> {
  if (!(await isPresent(join(theme, FILE)))) return shared
  const file = await readThemeFile(join(theme, FILE))
  const own = parseThemeJson(Languages, file)
  const worded = Object.entries(own).map(([language, labels]) => [
    language,
    { ...shared[language], ...labels },
  ])
  const labels: LabelsByLanguage = { ...shared, ...Object.fromEntries(worded) }
  for (const [language, name] of Object.entries(own).flatMap(([at, words]) =>
    Object.keys(words).map((name) => [at, name] as const),
  )) {
    if (Object.hasOwn(labels['en'] ?? {}, name)) continue
    const message = `${language}.${name}: is missing in English, the fallback of all other languages.`
    throw new ThemeError({ file: file.path, ...positionInJson(file.text, [language, name]), message })
  }
  return labels
}

/** @param lang BCP 47. Missing labels are English. */
export function labelsIn(lang: string, labels: LabelsByLanguage): Labels {
  const [primary = ''] = lang.toLowerCase().split('-')
  const language = Object.hasOwn(labels, primary) ? primary : 'en'
  const known = mergedCache.get(labels) ?? new Map<string, Labels>()
  const words = known.get(language) ?? { ...labels['en'], ...labels[language] }
  mergedCache.set(labels, known.set(language, words))
  return words
}

/** Cache, because every template asks for its labels. */
const mergedCache = new WeakMap<LabelsByLanguage, Map<string, Labels>>()

/** Labels of the search dialog as JSON, which every document contains. */
export function searchLabels(labels: Labels): string {
  const known = searchLabelsCache.get(labels)
  if (known !== undefined) return known
  const { search, searchResults, searchNothing, searchMeant, searchFailed } = labels
  const { searchClose, searchKey, searchClear, searchSettings } = labels
  const words = {
    search,
    results: searchResults,
    nothing: searchNothing,
    meant: searchMeant,
    failed: searchFailed,
    close: searchClose,
    key: searchKey,
    clear: searchClear,
    settings: searchSettings,
  }
  const json = JSON.stringify(words).replace(
    /[\u2000-\u206f]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16)}`,
  )
  const kept = BEYOND_LATIN_1.test(json) ? json : Buffer.from(json, 'latin1').toString('latin1')
  searchLabelsCache.set(labels, kept)
  return kept
}

const searchLabelsCache = new WeakMap<Labels, string>()

/**
 * V8 stores a string with two bytes per character if any character is beyond Latin-1, and also strings built
 * from it. The quotation marks in these labels would double every document, so they are escaped.
 */
const BEYOND_LATIN_1 = /[^\0-\xff]/
