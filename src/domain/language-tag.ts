/** Language, script, region and variants. */
const TAG = /^([a-z]{2,3})(-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*$/i

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
