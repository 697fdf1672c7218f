import type { RegexEngine } from 'shiki/core'

type Scanner = ReturnType<RegexEngine['createScanner']>
type Text = Parameters<Scanner['findNextMatchSync']>[0]
type Match = ReturnType<Scanner['findNextMatchSync']>

/** Expression of grammars, compiled at its first search. */
interface Pattern {
  readonly source: string
  /** True for an expression with `\G`, whose result holds for one start of a search only. */
  readonly dependsOnStart: boolean
  scanner: Scanner | null
  /** Number of scanners with this expression. */
  users: number
  last: Search | null
}

/** Search of a text from a position, with its first match. */
interface Search {
  readonly text: Text
  readonly options: number
  readonly from: number
  readonly match: Match
}

/**
 * Compiles each distinct expression once for all grammars, and searches a line for it once: a first match stays the first
 * one for all positions up to it. Forty languages have 36,000 expressions, 2,100 of them distinct.
 */
export function sharePatterns(engine: RegexEngine): RegexEngine {
  const patterns = new Map<string, Pattern>()

  return {
    createString: (text) => engine.createString(text),
    createScanner(sources) {
      const own = sources.map((source) => use(String(source)))
      let isDisposed = false
      return {
        findNextMatchSync: (text, position, options) => firstMatch(own, text, position, options),
        dispose() {
          if (!isDisposed) for (const pattern of own) release(pattern)
          isDisposed = true
        },
      }
    },
  }

  function use(source: string): Pattern {
    const pattern = patterns.get(source) ?? {
      source,
      dependsOnStart: source.includes('\\G'),
      scanner: null,
      users: 0,
      last: null,
    }
    pattern.users += 1
    patterns.set(source, pattern)
    return pattern
  }

  function release(pattern: Pattern): void {
    pattern.users -= 1
    if (pattern.users > 0) return
    pattern.scanner?.dispose?.()
    patterns.delete(pattern.source)
  }

  /** The leftmost match, and of those the first in the order of the patterns. */
  function firstMatch(own: readonly Pattern[], text: Text, position: number, options: number): Match {
    let first: Match = null
    let start = Number.POSITIVE_INFINITY
    for (const [index, pattern] of own.entries()) {
      const match = search(pattern, text, position, options)
      if (match === null || startOf(match) >= start) continue
      start = startOf(match)
      first = { index, captureIndices: match.captureIndices }
      if (start === position) break
    }
    return first
  }

  function search(pattern: Pattern, text: Text, position: number, options: number): Match {
    const { last } = pattern
    if (last !== null && holdsFor(last, pattern, text, position, options)) return last.match
    pattern.scanner ??= engine.createScanner([pattern.source])
    const match = pattern.scanner.findNextMatchSync(text, position, options)
    pattern.last = { text, options, from: position, match }
    return match
  }
}

function holdsFor(
  { text: searched, options: used, from, match }: Search,
  { dependsOnStart }: Pattern,
  text: Text,
  position: number,
  options: number,
): boolean {
  if (dependsOnStart || searched !== text || used !== options || from > position) return false
  return match === null || startOf(match) >= position
}

function startOf(match: NonNullable<Match>): number {
  return match.captureIndices[0]?.start ?? 0
}
