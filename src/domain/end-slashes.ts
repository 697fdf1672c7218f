/* Not `/\/+$/`: it would try to match at each of many slashes, in quadratic time. */

/** The text without slashes at its end. */
export function withoutEndSlashes(text: string): string {
  return text.replace(/(?<!\/)\/+$/, '')
}

/** The text without slashes at its start and its end. */
export function withoutOuterSlashes(text: string): string {
  return withoutEndSlashes(text.replace(/^\/+/, ''))
}
