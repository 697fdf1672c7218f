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
