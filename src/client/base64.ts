/**
 * Decodes base64 texts and concatenates the bytes.
 *
 * @throws when a text is not standard base64.
 */
export function fromBase64(...texts: readonly string[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(texts.map((text) => atob(text)).join(''), (character) => character.charCodeAt(0))
}
