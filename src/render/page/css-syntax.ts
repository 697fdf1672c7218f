import type { ParseIssue } from '../../domain/diagnostic.ts'

/**
 * What makes this text no CSS by the grammar that browsers follow, or null. Nested deeply it ends the
 * process, and hostile CSS can keep the parser busy for seconds: for text that `customCssIssues` let
 * pass, and where it can be stopped.
 */
export async function cssSyntaxIssue(css: string): Promise<ParseIssue | null> {
  // Native code, loaded by whoever needs it.
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
