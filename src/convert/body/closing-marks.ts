/** The text of a heading without the number signs at its end, which a blank sets apart: `Title ##`, but not `C#`. */
export function withoutClosingMarks(heading: string): string {
  const text = heading.trimEnd()
  let end = text.length
  while (text[end - 1] === '#') end--
  return /[ \t]/.test(text[end - 1] ?? '') ? text.slice(0, end).trimEnd() : text
}
