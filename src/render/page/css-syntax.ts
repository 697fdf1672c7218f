import type { ParseIssue } from '../../domain/diagnostic.ts'

/**
 * Returns the first syntax error by the grammar that browsers follow, or null. Deep nesting crashes the
 * parser and hostile CSS can keep it busy for seconds. So pass only CSS that `customCssIssues` accepts, and
 * call it where it can be interrupted.
 */
export async function cssSyntaxIssue(css: string): Promise<ParseIssue | null> {
  // Native code, loaded on first use.
  const { transform } = await import('lightningcss')
  try {
    transform({ filename: 'custom.css', code: Buffer.from(css) })
    return null
  } catch (error) {
    if (!isParseError(error)) throw error
    const { line, column } = error.loc
    return { line, column, message: `${error.message.replace(/\.$/, '')}.` }
  }
}

function isParseError(error: unknown): error is SyntaxError & { loc: { line: number; column: number } } {
  return error instanceof SyntaxError && 'loc' in error && typeof error.loc === 'object' && error.loc !== null
}
