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
