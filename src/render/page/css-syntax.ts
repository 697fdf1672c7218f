import type { CssFault } from '../../page-text/custom-css.ts'

/**
 * What makes this text no CSS by the grammar that browsers follow, or null. Nested deeply it ends the
 * process, and hostile CSS can keep the parser busy for seconds: for text that `customCssFaults` let
 * pass, and where it can be stopped.
 */
export async function cssSyntaxFault(css: string): Promise<CssFault | null> {
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
