/**
 * The line, from 0, of offsets in a text that are asked for in ascending order. Takes time that grows with the text,
 * however many offsets there are.
 */
export function lineCounter(text: string): (offset: number) => number {
  let line = 0
  let next = text.indexOf('\n')
  return (offset) => {
    while (next !== -1 && next < offset) {
      line++
      next = text.indexOf('\n', next + 1)
    }
    return line
  }
}
