/** Maximum nesting of brackets in the text, prose included. */
const MAX_BRACKETS = 64
const MAX_INDENT = 128
const DEEP_INDENT = new RegExp(`^[ \\t?:-]{${MAX_INDENT + 1}}`, 'm')

/**
 * Reports whether a text is nested too deeply for the YAML parser. It is recursive: with little stack left, Node.js
 * ends the whole process instead of throwing an error that could be caught.
 */
export function isNestedTooDeeply(yaml: string): boolean {
  return DEEP_INDENT.test(yaml) || openBrackets(yaml) > MAX_BRACKETS
}

/** Maximum number of open brackets, including those in quotes and comments. */
function openBrackets(yaml: string): number {
  let open = 0
  let most = 0
  for (const [bracket] of yaml.matchAll(/[[\]{}]/g)) {
    open = bracket === '[' || bracket === '{' ? open + 1 : Math.max(0, open - 1)
    most = Math.max(most, open)
  }
  return most
}
