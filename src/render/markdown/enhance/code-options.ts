/** Options after the fence of a code block, apart from its language. */
export interface CodeOptions {
  readonly title: string | null
  /** The number of the first line; null for code without numbers. */
  readonly firstNumber: number | null
  readonly marked: LineMatcher
  readonly added: LineMatcher
  readonly removed: LineMatcher
}

/** Reports whether the author named the line, counted from 1. */
export type LineMatcher = (line: number) => boolean

const MAX_TITLE = 120
const MAX_RANGES = 50

const TITLE = /(?:^|\s)title=(?:"([^"]*)"|'([^']*)'|(\S+))/
const BRACKETED_TITLE = /(?:^|\s)\[([^[\]]+)\]/
const NUMBERS = /(?:^|\s):?(?:showLineNumbers|line-numbers)(?:=\{?(\d{1,6})\}?)?(?=\s|\{|$)/
const MARKED = /(?:^|\s)\{([\d,\s-]+)\}/
const ADDED = /(?:^|\s)ins=\{([\d,\s-]+)\}/
const REMOVED = /(?:^|\s)del=\{([\d,\s-]+)\}/

export const NO_OPTIONS: CodeOptions = {
  title: null,
  firstNumber: null,
  marked: () => false,
  added: () => false,
  removed: () => false,
}

/** Reads the option syntax of Docusaurus, VitePress and Starlight. Ignores unknown options. */
export function readCodeOptions(written: string): CodeOptions {
  if (written.trim() === '') return NO_OPTIONS
  const title = TITLE.exec(written)
    ?.slice(1)
    .find((found) => found !== undefined)
  const shown = (title ?? BRACKETED_TITLE.exec(written)?.[1] ?? '').trim().slice(0, MAX_TITLE)
  return {
    title: shown === '' ? null : shown,
    firstNumber: firstNumber(written),
    marked: lineMatcher(MARKED.exec(written)),
    added: lineMatcher(ADDED.exec(written)),
    removed: lineMatcher(REMOVED.exec(written)),
  }
}

function firstNumber(written: string): number | null {
  const found = NUMBERS.exec(written)
  return found === null ? null : Number(found[1] ?? 1)
}

function lineMatcher(found: RegExpExecArray | null): LineMatcher {
  const ranges = (found?.[1] ?? '').split(',', MAX_RANGES).flatMap((range) => {
    const [, from, to] = /^\s*(\d{1,6})(?:-(\d{1,6}))?\s*$/.exec(range) ?? []
    return from === undefined ? [] : [{ from: Number(from), to: Number(to ?? from) }]
  })
  return (line) => ranges.some(({ from, to }) => from <= line && line <= to)
}
