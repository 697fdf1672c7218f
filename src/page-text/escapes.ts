/** Reports whether an odd number of backslashes precedes an offset. Such a character has no special meaning. */
export function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}
