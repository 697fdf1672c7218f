/** Language, script, region and variants, joined by `-` or `_`. A pattern without flags, for JSON Schema. */
export const LANGUAGE_TAG =
  '^([A-Za-z]{2,3})([-_][A-Za-z]{4})?(?:[-_](?:[A-Za-z]{2}|[0-9]{3}))?(?:[-_](?:[A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*$'
const TAG = new RegExp(LANGUAGE_TAG)

/** A language tag with the parts that decide the writing direction. Source: BCP 47. */
export interface LanguageTag {
  readonly tag: string
  readonly language: string
  /** Empty when the tag has no script. */
  readonly script: string
}

/** Parses a tag, with `-` or `_` between its parts; null when the text is not a tag. */
export function readLanguageTag(written: string): LanguageTag | null {
  const [tag, language = '', script = ''] = TAG.exec(written.replaceAll('_', '-')) ?? []
  return tag === undefined ? null : { tag, language, script: script.slice(1) }
}

export function isLanguageTag(written: string): boolean {
  return readLanguageTag(written) !== null
}

export type Direction = 'ltr' | 'rtl'

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

/** The direction in which a language is written. */
export function directionOf({ language, script }: LanguageTag): Direction {
  const rightToLeft =
    script === ''
      ? RIGHT_TO_LEFT.has(language.toLowerCase())
      : RIGHT_TO_LEFT_SCRIPTS.has(script.toLowerCase())
  return rightToLeft ? 'rtl' : 'ltr'
}
