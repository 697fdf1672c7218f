import { join } from 'node:path'

import { z } from 'zod'

import type { Labels } from './theme.ts'
import { parseThemeJson, readThemeFile } from './theme-files.ts'

const Languages = z
  .record(z.string(), z.record(z.string(), z.string()))
  .refine((read) => 'en' in read, 'en is missing')

/** Labels by primary language, e.g. `zh`. English is always there and complete. */
export type LabelsByLanguage = Readonly<Record<string, Labels>>

/** @throws {ThemeError} if `labels.json` is missing or unusable. */
export async function readLabels(templates: string): Promise<LabelsByLanguage> {
  return parseThemeJson(Languages, await readThemeFile(join(templates, 'labels.json')))
}

/** @param lang BCP 47; what its language lacks is said in English. */
export function labelsIn(lang: string, labels: LabelsByLanguage): Labels {
  const [language = ''] = lang.toLowerCase().split('-')
  return { ...labels['en'], ...(Object.hasOwn(labels, language) ? labels[language] : {}) }
}
