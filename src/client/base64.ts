/**
 * The bytes of one or more base64 texts, one after the other.
 *
 * @throws when one of them is not standard base64.
 */
export function fromBase64(...texts: readonly string[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(texts.map((text) => atob(text)).join(''), (character) => character.charCodeAt(0))
}
