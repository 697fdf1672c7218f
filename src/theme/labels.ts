import { join } from 'node:path'

import { z } from 'zod'

import type { Labels } from './theme.ts'
import { ThemeError } from './theme-error.ts'
import { isPresent, parseThemeJson, placeInJson, readThemeFile } from './theme-files.ts'

const Languages = z.record(z.string(), z.record(z.string(), z.string().max(1000)))
const WithEnglish = Languages.refine((read) => 'en' in read, 'en is missing')

const FILE = 'labels.json'

/** Labels by primary language, e.g. `zh`. English is always there and complete. */
export type LabelsByLanguage = Readonly<Record<string, Labels>>

/** @throws {ThemeError} if `labels.json` is missing or unusable. */
export async function readLabels(templates: string): Promise<LabelsByLanguage> {
  return parseThemeJson(WithEnglish, await readThemeFile(join(templates, FILE)))
}

/**
 * Labels with those that a theme words otherwise, or adds, in its own `labels.json`, if it has one.
 *
 * @throws {ThemeError} if that is unusable, or words something in another language that it does not in English.
 */
export async function withOwnLabels(shared: LabelsByLanguage, theme: string): Promise<LabelsByLanguage> {
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
    const message = `${language}.${name}: is not there in English, which readers of all other languages get.`
    throw new ThemeError({ file: file.path, ...placeInJson(file.text, [language, name]), message })
  }
  return labels
}

/** @param lang BCP 47; what its language lacks is said in English. */
export function labelsIn(lang: string, labels: LabelsByLanguage): Labels {
  const [primary = ''] = lang.toLowerCase().split('-')
  const language = Object.hasOwn(labels, primary) ? primary : 'en'
  const known = merged.get(labels) ?? new Map<string, Labels>()
  const words = known.get(language) ?? { ...labels['en'], ...labels[language] }
  merged.set(labels, known.set(language, words))
  return words
}

/** Every template asks for them. */
const merged = new WeakMap<LabelsByLanguage, Map<string, Labels>>()

/** What the search dialog says, as JSON that stands in every document. */
export function searchWords(labels: Labels): string {
  const known = said.get(labels)
  if (known !== undefined) return known
  const { search, searchResults, searchNothing, searchMeant, searchFailed, searchClose, searchKey } = labels
  const words = {
    search,
    results: searchResults,
    nothing: searchNothing,
    meant: searchMeant,
    failed: searchFailed,
    close: searchClose,
    key: searchKey,
  }
  const json = JSON.stringify(words).replace(
    /[\u2000-\u206f]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16)}`,
  )
  const kept = BEYOND_LATIN_1.test(json) ? json : Buffer.from(json, 'latin1').toString('latin1')
  said.set(labels, kept)
  return kept
}

const said = new WeakMap<Labels, string>()

/**
 * V8 keeps a text in two bytes a letter that has one such letter, or is made of a text that had one: a whole
 * document, for the quotes of these words. So those are escaped, and the rest is copied.
 */
const BEYOND_LATIN_1 = /[^\0-\xff]/
