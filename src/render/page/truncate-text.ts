/** The text on one line, cut at the end of a word so that it is at most `most` characters long. */
export function cutText(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= most) return line
  const cut = line.slice(0, most + 1)
  const end = cut.lastIndexOf(' ')
  // Text without spaces is cut anywhere but within a character.
  return end > 0 ? cut.slice(0, end) : line.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
}
