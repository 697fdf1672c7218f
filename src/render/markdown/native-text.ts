const REFERENCES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&gt;': '>',
  '&lt;': '<',
  '&quot;': '"',
  '&#x27;': "'",
  '&#x60;': '`',
}

/** A text or a value, without the references that the native parser prints. */
export function unescaped(printed: string): string {
  if (!printed.includes('&')) return printed
  return printed.replace(/&(?:amp|gt|lt|quot|#x27|#x60);/g, (reference) => REFERENCES[reference] ?? reference)
}

/** What a reader sees of what is printed, in which no attribute holds a `>`. */
export function textOfPrinted(printed: string): string {
  return unescaped(printed.includes('<') ? printed.replace(/<[^>]*>/g, '') : printed)
}
