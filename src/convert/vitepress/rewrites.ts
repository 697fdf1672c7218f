/** A part of a pattern: a name with what it matches, or literal text. */
const PART = /:(\w+)(\((?:[^()\\]|\\.)*\))?([*+?])?|(\((?:[^()\\]|\\.)*\))|([^:(]+|[:(])/g
/** The accepted expressions in parentheses. Others could take exponential time. */
const MATCHES = new Map([
  ['(.*)', '(.*)'],
  ['(.+)', '(.+)'],
  ['([^/]+)', '([^/]+)'],
  ['(\\d+)', '(\\d+)'],
  ['(\\w+)', '(\\w+)'],
  ['([\\w-]+)', '([\\w-]+)'],
])
/** Each name that may match anything raises the exponent of the time in the length of a path. */
const MAX_LONG_NAMES = 2
const MAX_NAMES = 5

/** A pattern of `rewrites`, with the names of its groups. */
interface Pattern {
  readonly matches: RegExp
  readonly names: readonly string[]
  readonly target: string
}

export interface Rewrites {
  /** The path at which a file is served, by its path below `srcDir`. */
  readonly rewrite: (path: string) => string
  /** Patterns that are not understood. */
  readonly unread: readonly string[]
}

/**
 * The `rewrites` of VitePress: paths, or patterns such as `packages/:name/docs/:rest*`. The first that matches counts.
 * Source: https://vitepress.dev/guide/routing#route-rewrites.
 */
export function createRewrites(given: ReadonlyMap<string, string>): Rewrites {
  const exact = new Map<string, string>()
  const patterns: Pattern[] = []
  const unread: string[] = []
  for (const [from, target] of given) {
    const pattern = /[:(*]/.test(from) ? readPattern(from, target) : 'path'
    if (pattern === 'path') exact.set(from, target)
    else if (pattern === null) unread.push(from)
    else patterns.push(pattern)
  }
  return {
    unread,
    rewrite(path) {
      const own = exact.get(path)
      if (own !== undefined) return own
      for (const pattern of patterns) {
        const found = pattern.matches.exec(path)
        if (found !== null) return filled(pattern, found)
      }
      return path
    },
  }
}

/** Reads a pattern. Null for one that is not understood. */
function readPattern(from: string, target: string): Pattern | null {
  const names: string[] = []
  let expression = ''
  let long = 0
  let unnamed = 0
  for (const [, name, matches, count = '', group, literal = ''] of from.matchAll(PART)) {
    if (name === undefined && group === undefined) {
      expression += literal.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
      continue
    }
    const written = matches ?? group
    const inner = written === undefined ? '([^/]+)' : MATCHES.get(written)
    if (inner === undefined) return null
    const whole = count === '*' ? '(.*)' : count === '+' ? '(.+)' : inner
    const isOptional = count === '*' || count === '?'
    // A name that may be absent takes the slash before it along.
    if (isOptional && expression.endsWith('\\/')) expression = `${expression.slice(0, -2)}(?:\\/${whole})?`
    else expression += isOptional ? `${whole}?` : whole
    if (/\.[*+]/.test(whole)) long++
    names.push(name ?? String(unnamed++))
  }
  return long > MAX_LONG_NAMES || names.length > MAX_NAMES
    ? null
    : { matches: new RegExp(`^${expression}$`), names, target }
}

/** The target with the texts of its names. A name without a text takes the slash before it along. */
function filled({ names, target }: Pattern, found: RegExpExecArray): string {
  const texts = new Map(names.map((name, index) => [name, found[index + 1] ?? '']))
  let unnamed = 0
  return target
    .replace(/\/?(?::(\w+)(?:\((?:[^()\\]|\\.)*\))?[*+?]?|\((?:[^()\\]|\\.)*\))/g, (part, name?: string) => {
      const text = texts.get(name ?? String(unnamed++)) ?? ''
      return text === '' ? '' : `${part.startsWith('/') ? '/' : ''}${text}`
    })
    .replace(/^\/+/, '')
}
