/**
 * Characters that XML 1.0 does not allow, even as references, and other control characters. Source:
 * https://www.w3.org/TR/xml/#charsets
 */
const UNFIT = /[^\P{Cc}\t\n\r]|\p{Cs}|[\ufffe\uffff]/gu

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // An XML parser would turn these into spaces and line feeds in attributes.
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

/** Escapes text for XML elements and attributes. Replaces characters that XML does not allow with U+FFFD. */
export function xmlText(text: string): string {
  return text.replace(UNFIT, '\ufffd').replace(/[&<>"'\t\n\r]/g, (character) => REFERENCES[character] ?? '')
}
