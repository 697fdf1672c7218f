/** What XML 1.0 cannot hold, not even as a reference, and other controls. Source: https://www.w3.org/TR/xml/#charsets */
const UNFIT = /[^\P{Cc}\t\n\r]|\p{Cs}|[\ufffe\uffff]/gu

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // A reader would make plain spaces and line feeds of them in attributes.
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

/** Text for XML, in elements and attributes alike. What XML cannot hold is replaced by U+FFFD. */
export function xmlText(text: string): string {
  return text.replace(UNFIT, '\ufffd').replace(/[&<>"'\t\n\r]/g, (character) => REFERENCES[character] ?? '')
}
