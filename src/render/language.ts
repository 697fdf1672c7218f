import type { FrontMatter } from '../content/front-matter.ts'
import type { LivePage } from '../domain/live-page.ts'

export interface Language {
  /** BCP 47. */
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
}

/** The language of a page: its own, else the one its front matter names, else the site's. */
export function pageLanguage({ page, settings }: LivePage, { frontMatter }: FrontMatter): Language {
  return languageOf([page.config['lang'], frontMatter['lang'], settings.branding['lang']])
}

/** Language, script and region, which is all that changes how a page is shown. */
const TAG = /^([a-z]{2,3})(-[a-z]{4})?(-([a-z]{2}|\d{3}))?$/i

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

/** The first of the candidates that is a language tag, else English. */
export function languageOf(candidates: readonly unknown[]): Language {
  for (const candidate of candidates) {
    const tag = typeof candidate === 'string' ? TAG.exec(candidate.replace('_', '-')) : null
    if (tag !== null) return { lang: tag[0], dir: directionOf(tag[1], tag[2]) }
  }
  return { lang: 'en', dir: 'ltr' }
}

function directionOf(language = '', script = ''): Language['dir'] {
  const rightToLeft =
    script === ''
      ? RIGHT_TO_LEFT.has(language.toLowerCase())
      : RIGHT_TO_LEFT_SCRIPTS.has(script.slice(1).toLowerCase())
  return rightToLeft ? 'rtl' : 'ltr'
}
