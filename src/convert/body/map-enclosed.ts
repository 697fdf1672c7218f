/**
 * Maps each stretch between an opening and a closing mark, such as a comment, marks included. An unclosed mark stays.
 * Takes linear time, unlike a lazy expression.
 *
 * @param open and `close` are global expressions.
 * @param change receives the stretch, the text between the marks, and what `open` matched.
 */
export function mapEnclosed(
  text: string,
  open: RegExp,
  close: RegExp,
  change: (whole: string, inner: string, opening: RegExpExecArray) => string,
): string {
  let at = 0
  let result = ''
  for (;;) {
    open.lastIndex = at
    const opening = open.exec(text)
    if (opening === null) break
    const start = opening.index + opening[0].length
    close.lastIndex = start
    const closing = close.exec(text)
    // Nothing ends the marks after this one either.
    if (closing === null) break
    const end = closing.index + closing[0].length
    const whole = text.slice(opening.index, end)
    result += text.slice(at, opening.index) + change(whole, text.slice(start, closing.index), opening)
    at = end
  }
  return at === 0 ? text : result + text.slice(at)
}
