/** Alternatives of a pattern beyond these are ignored: braces in braces would multiply. */
const MAX_ALTERNATIVES = 200
const MAX_PATTERN_LENGTH = 1000

/**
 * Reports whether a path matches a pattern as generators write them: `**` is any number of folders, `*` and `?` are
 * characters of a name, `{a,b}` are alternatives. Takes polynomial time whatever the pattern is.
 */
export function matchesGlob(path: string, pattern: string): boolean {
  if (pattern.length > MAX_PATTERN_LENGTH) return false
  const names = path.split('/')
  return alternativesOf(pattern.replace(/^\.?\//, '')).some((each) => matchNames(names, each.split('/')))
}

/** Reports whether a path matches any of the patterns. `!` excludes matches of earlier patterns. */
export function matchesAnyGlob(path: string, patterns: readonly string[]): boolean {
  return patterns.reduce(
    (matched, pattern) =>
      pattern.startsWith('!')
        ? matched && !matchesGlob(path, pattern.slice(1))
        : matched || matchesGlob(path, pattern),
    false,
  )
}

function alternativesOf(pattern: string): readonly string[] {
  let patterns = [pattern]
  for (;;) {
    const next = patterns.flatMap((each) => {
      const [braces, inner = ''] = /\{([^{}]*)\}/.exec(each) ?? []
      if (braces === undefined) return [each]
      return inner.split(',').map((choice) => each.replace(braces, () => choice))
    })
    if (next.length === patterns.length && next.every((each, index) => each === patterns[index])) return next
    patterns = next.slice(0, MAX_ALTERNATIVES)
  }
}

/** One row of a table by dynamic programming for each segment of the pattern. */
function matchNames(names: readonly string[], pattern: readonly string[]): boolean {
  let reached = names.map(() => false)
  reached = [true, ...reached]
  for (const segment of pattern) {
    const isDeep = segment === '**'
    const next: boolean[] = [isDeep && (reached[0] ?? false)]
    for (let index = 0; index < names.length; index++) {
      const name = names[index] ?? ''
      next.push(
        isDeep
          ? (reached[index + 1] ?? false) || (next[index] ?? false)
          : (reached[index] ?? false) && matchName(name, segment),
      )
    }
    reached = next
  }
  return reached.at(-1) ?? false
}

function matchName(name: string, pattern: string): boolean {
  let [at, inPattern] = [0, 0]
  let star: readonly [pattern: number, name: number] | null = null
  while (at < name.length) {
    if (pattern[inPattern] === '*') star = [inPattern++, at]
    else if (pattern[inPattern] === '?' || pattern[inPattern] === name[at]) {
      inPattern++
      at++
    } else if (star === null) return false
    else {
      star = [star[0], star[1] + 1]
      inPattern = star[0] + 1
      at = star[1]
    }
  }
  return /^\**$/.test(pattern.slice(inPattern))
}
