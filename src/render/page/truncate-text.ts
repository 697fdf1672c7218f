/** Collapses white space and truncates the text to `most` characters at a word boundary. */
export function truncateText(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= most) return line
  const cut = line.slice(0, most + 1)
  const end = cut.lastIndexOf(' ')
  // Text without spaces is cut anywhere except inside a surrogate pair.
  return end > 0 ? cut.slice(0, end) : line.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
}
