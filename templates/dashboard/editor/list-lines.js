const PREFIX = /^([ \t]*(?:>[ \t]?)*)([ \t]*)(?:([-*+])|(\d{1,9})([.)]))([ \t]+|$)(\[[ xX]\](?:[ \t]+|$))?/

/**
 * A line that starts an item of a list; null for any other.
 *
 * @returns {{ quote: string, indent: number, number: number | null, delimiter: string, mark: string, space: string,
 *   isTask: boolean, length: number } | null} `length` of everything before the text of the item.
 */
export function itemOf(line) {
  const [all, before = '', inner = '', bullet, number, delimiter = '', space = ' ', task] =
    PREFIX.exec(line) ?? []
  if (all === undefined) return null
  const quote = /^.*>[ \t]?/.exec(before)?.[0] ?? ''
  return {
    quote,
    indent: before.length - quote.length + inner.length,
    number: number === undefined ? null : Number(number),
    delimiter: bullet ?? delimiter,
    mark: bullet ?? number + delimiter,
    space: space === '' ? ' ' : space,
    isTask: task !== undefined,
    length: all.length,
  }
}

/**
 * The lines of a list with their numbers in order. A list that repeats one number, as some people write it, repeats it
 * still, and each list keeps its first number.
 */
export function renumbered(lines) {
  const levels = []
  return lines.map((line) => {
    const item = itemOf(line)
    if (item === null) return line
    while (levels.length > 0 && levels.at(-1).indent > item.indent) levels.pop()
    const level = levels.at(-1)
    const continues = level?.indent === item.indent && level.delimiter === item.delimiter
    if (!continues) {
      if (level?.indent === item.indent) levels.pop()
      levels.push({ indent: item.indent, delimiter: item.delimiter, number: item.number, step: null })
      return line
    }
    if (item.number === null) return line
    level.step ??= item.number === level.number ? 0 : 1
    level.number += level.step
    return level.number === item.number ? line : withNumber(line, item, level.number)
  })
}

function withNumber(line, { quote, indent, number }, next) {
  const at = quote.length + indent
  return line.slice(0, at) + next + line.slice(at + String(number).length)
}

/** The lines of the list around a line: items, their indented lines, and single blank lines between them. */
export function listAround(doc, number) {
  const belongs = (at) => {
    if (at < 1 || at > doc.lines) return false
    const { text } = doc.line(at)
    return (
      itemOf(text) !== null || /^[ \t]+\S/.test(text) || (isBlank(at) && !isBlank(at - 1) && !isBlank(at + 1))
    )
  }
  const isBlank = (at) => at >= 1 && at <= doc.lines && doc.line(at).text.trim() === ''
  let [first, last] = [number, number]
  while (belongs(first - 1)) first -= 1
  while (belongs(last + 1)) last += 1
  return { first, last }
}
