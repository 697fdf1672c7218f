import { diffLines } from 'diff'

/** Unchanged lines that are shown around a change. */
const CONTEXT = 3
/** Lines of a difference that are shown. */
const SHOWN_LINES = 600
/** Time for a comparison; texts that differ more are shown one after the other. */
const TIMEOUT_MS = 200

export interface DiffLine {
  /** `gap` for unchanged lines that are left out. */
  readonly kind: 'same' | 'added' | 'removed' | 'gap'
  readonly text: string
}

export interface TextDiff {
  readonly lines: readonly DiffLine[]
  readonly added: number
  readonly removed: number
  /** Whether lines at the end are left out. */
  readonly isCut: boolean
}

/** The lines in which two texts differ, with some lines around them. */
export function textDiff(before: string, after: string): TextDiff {
  const options = { timeout: TIMEOUT_MS }
  const changes = diffLines(ended(before), ended(after), options) ?? [
    { value: ended(before), removed: true, added: false },
    { value: ended(after), removed: false, added: true },
  ]
  const all = changes.flatMap(({ value, added, removed }) => {
    const kind = added ? 'added' : removed ? 'removed' : 'same'
    return linesOf(value).map((text): DiffLine => ({ kind, text }))
  })
  const near = new Set<number>()
  all.forEach(({ kind }, at) => {
    if (kind === 'same') return
    for (let other = at - CONTEXT; other <= at + CONTEXT; other++) near.add(other)
  })
  const lines = all.flatMap((line, at): readonly DiffLine[] => {
    if (near.has(at)) return [line]
    return at === 0 || near.has(at - 1) ? [{ kind: 'gap', text: '' }] : []
  })
  return {
    lines: lines.slice(0, SHOWN_LINES),
    added: all.filter(({ kind }) => kind === 'added').length,
    removed: all.filter(({ kind }) => kind === 'removed').length,
    isCut: lines.length > SHOWN_LINES,
  }
}

/** Without a newline at its end, the last line would differ from the same line of a longer text. */
function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}
