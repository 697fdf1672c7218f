import { outputLimit } from './limits.ts'

/** A page of five hundred is a book. */
const LONGEST = 1_048_576
/** Of a cell that a row lacks and its table has: `<td style="text-align: center"></td>`, in UTF-16 code units. */
const LONGEST_CELL = 40

/** Definitions (`]:`), footnotes, tasks and alerts; line ends that are no plain ones. */
const MORE = /\]:|\[\^|\[[ \tx]\]|\[!(?:note|tip|important|warning|caution)\]|\r/i
const FENCES = ['```', '~~~']
/** All of a fence, and more that is none. */
const FENCE = /[`~]+/y
/** Behind it something besides a language, or a language of a strange name. */
const INFO = /[ \t]*(?:[^\s`]{100}|[^\s`]{1,99}[ \t]+[^\s`]|[\w+#.-]{0,99}[^\w\s`~+#.-])/y

/**
 * Whether a source can be printed before anybody has looked at its tree: it shows nothing that is not in what is
 * printed, and it cannot grow much. One that is not tame is not at fault: some of what is looked for may stand in code,
 * which takes a tree to tell.
 *
 * @param source without marks.
 */
export function isTame(source: string): boolean {
  return source.length <= LONGEST && !MORE.test(source) && !hasInfo(source) && isWithinCells(source)
}

/** In time that grows no faster than the source, whatever stands in it. */
function hasInfo(source: string): boolean {
  return FENCES.some((fence) => {
    for (let at = source.indexOf(fence); at !== -1; at = source.indexOf(fence, FENCE.lastIndex)) {
      FENCE.lastIndex = at
      FENCE.test(source)
      INFO.lastIndex = FENCE.lastIndex
      if (INFO.test(source)) return true
    }
    return false
  })
}

/** A row is printed with as many cells as its table has columns, however few are written. */
function isWithinCells(source: string): boolean {
  let [columns, here] = [0, 0]
  let lineEnd = -1
  for (let at = source.indexOf('|'); at !== -1; at = source.indexOf('|', at + 1)) {
    if (at > lineEnd) {
      here = 0
      lineEnd = orEnd(source.indexOf('\n', at), source)
    }
    here += 1
    columns = Math.max(columns, here + 1)
  }
  // Most tables are so small that it does not take the number of lines to tell.
  const isSmall = columns * LONGEST_CELL * source.length <= outputLimit(source)
  return isSmall || columns * LONGEST_CELL * source.split('\n').length <= outputLimit(source)
}

function orEnd(index: number, source: string): number {
  return index === -1 ? source.length : index
}
