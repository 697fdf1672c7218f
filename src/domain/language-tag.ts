/** Language, script and region, which is all that changes how a page is shown; then what is said of a variant. */
const TAG = /^([a-z]{2,3})(-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*$/i

/** A language tag, and what of it tells in which direction it is written. Source: BCP 47. */
export interface LanguageTag {
  readonly tag: string
  readonly language: string
  /** Empty where the tag leaves it to the language. */
  readonly script: string
}

/** As it is written, or with `_`, as some systems write it; null for what is no tag. */
export function readLanguageTag(written: string): LanguageTag | null {
  const [tag, language = '', script = ''] = TAG.exec(written.replaceAll('_', '-')) ?? []
  return tag === undefined ? null : { tag, language, script: script.slice(1) }
}

export function isLanguageTag(written: string): boolean {
  return readLanguageTag(written) !== null
}
