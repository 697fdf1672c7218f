import { de } from './de.ts'
import { en, type Words } from './en.ts'

/** Every language of the dashboard. The first one is for browsers that ask for none of them. */
export const LANGUAGES: readonly [Words, ...Words[]] = [en, de]

/** Longest header that is read. */
const MAX_HEADER = 500

/**
 * The language of a request.
 *
 * @param chosen the user's choice; empty for none.
 * @param acceptLanguage the header of that name.
 */
export function languageOf(chosen: string, acceptLanguage: string): Words {
  const wanted = acceptLanguage
    .slice(0, MAX_HEADER)
    .split(',')
    .map((part) => {
      const [tag = '', quality = ''] = part.trim().split(/\s*;\s*q=/)
      return { lang: tag.toLowerCase().split('-')[0], quality: quality === '' ? 1 : Number(quality) || 0 }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
  const langs = [chosen, ...wanted.map(({ lang }) => lang)]
  return langs.flatMap((lang) => LANGUAGES.find((one) => one.lang === lang) ?? [])[0] ?? LANGUAGES[0]
}
