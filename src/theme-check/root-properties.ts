/** Custom properties that a compacted style sheet sets on `:root`, by name without dashes. */
export function rootProperties(css: string): ReadonlyMap<string, string> {
  const bodies = topRules(css).flatMap(({ selector, body }) => (selector === ':root' ? [body] : []))
  const set = bodies
    .flatMap((body) => parts(body, ';'))
    .map((line) => /^\s*--([\w-]+)\s*:([\s\S]*)$/.exec(line))
  return new Map(set.flatMap((found) => (found === null ? [] : [[found[1] ?? '', (found[2] ?? '').trim()]])))
}

/** Top-level rules. Nested rules, e.g. in a media query, do not apply to every reader. */
function topRules(css: string): readonly { readonly selector: string; readonly body: string }[] {
  const rules: { selector: string; body: string }[] = []
  let depth = 0
  let start = 0
  let open = 0
  for (let at = 0; at < css.length; at++) {
    if (css[at] === '{' && depth++ === 0) open = at
    if (css[at] !== '}' || --depth > 0) continue
    rules.push({ selector: css.slice(start, open).trim(), body: css.slice(open + 1, at) })
    start = at + 1
    depth = 0
  }
  return rules
}

/** Splits a text at a character, except inside parentheses. */
function parts(text: string, at: string): readonly string[] {
  const found: string[] = ['']
  let depth = 0
  for (const character of text) {
    if (character === at && depth === 0) {
      found.push('')
      continue
    }
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    found[found.length - 1] += character
  }
  return found
}

/**
 * Resolves `var()` and `light-dark()` in a value for one colour scheme.
 *
 * @returns null for a variable that is not set or refers to itself.
 */
export function resolvedValue(
  value: string,
  properties: ReadonlyMap<string, string>,
  scheme: 'light' | 'dark',
  depth = 0,
): string | null {
  const call = /\b(var|light-dark)\(/.exec(value)
  if (call === null) return value
  if (depth > MAX_DEPTH) return null
  const start = call.index + call[0].length
  const [inside = ''] = parts(value.slice(start), ')')
  const [first = '', ...others] = parts(inside, ',')
  const second = others.join(',').trim()
  const known = call[1] === 'var' ? (properties.get(first.trim().slice(2)) ?? second) : undefined
  const resolved = known ?? (scheme === 'light' ? first : second)
  if (resolved.trim() === '') return null
  const whole = value.slice(0, call.index) + resolved.trim() + value.slice(start + inside.length + 1)
  return resolvedValue(whole, properties, scheme, depth + 1)
}

const MAX_DEPTH = 50
