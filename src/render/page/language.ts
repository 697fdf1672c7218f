import { type LanguageTag, readLanguageTag } from '../../domain/language-tag.ts'
import type { LivePage } from '../../domain/live-page.ts'
import type { FrontMatter } from '../../page-text/front-matter.ts'

export interface Language {
  /** BCP 47. */
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
}

/** Language of a page: from `config`, else the front matter, else the site. */
export function pageLanguage({ page, settings }: LivePage, { frontMatter }: FrontMatter): Language {
  return languageOf([page.config['lang'], frontMatter['lang'], settings.branding['lang']])
}

const RIGHT_TO_LEFT = new Set([
  'ar',
  'arc',
  'ckb',
  'dv',
  'fa',
  'he',
  'ks',
  'ps',
  'sd',
  'syr',
  'ug',
  'ur',
  'yi',
])
const RIGHT_TO_LEFT_SCRIPTS = new Set(['adlm', 'arab', 'aran', 'hebr', 'nkoo', 'rohg', 'syrc', 'thaa'])

/** The first candidate that is a language tag, else English. */
export function languageOf(candidates: readonly unknown[]): Language {
  for (const candidate of candidates) {
    const read = typeof candidate === 'string' ? readLanguageTag(candidate) : null
    if (read !== null) return { lang: read.tag, dir: directionOf(read) }
  }
  return { lang: 'en', dir: 'ltr' }
}

function directionOf({ language, script }: LanguageTag): Language['dir'] {
  const rightToLeft =
    script === ''
      ? RIGHT_TO_LEFT.has(language.toLowerCase())
      : RIGHT_TO_LEFT_SCRIPTS.has(script.toLowerCase())
  return rightToLeft ? 'rtl' : 'ltr'
}
