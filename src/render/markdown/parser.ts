import type { MarkdownParser, MarkdownPrinter } from './markdown-parser.ts'

export interface ChosenParser {
  readonly name: 'satteri' | 'remark'
  readonly parse: MarkdownParser
  /** Null for the one that prints nothing but by way of a tree. */
  readonly print: MarkdownPrinter | null
  /** Why the native parser is not the one; null when it is. */
  readonly reason: unknown
}

type Native = Pick<ChosenParser, 'parse' | 'print'>

/**
 * The native parser, or the one in JavaScript where the native one cannot be loaded.
 *
 * @param loadNative imports the native parser; rejects where there is no binary for the platform.
 */
export async function chooseParser(loadNative: () => Promise<Native>): Promise<ChosenParser> {
  try {
    return { name: 'satteri', ...(await loadNative()), reason: null }
  } catch (reason) {
    return { name: 'remark', parse: await loadRemark(), print: null, reason }
  }
}

async function loadSatteri(): Promise<Native> {
  const { satteriParser, satteriPrinter } = await import('./satteri.ts')
  return { parse: satteriParser('gfm'), print: satteriPrinter }
}

/** Only where it is needed: it takes a tenth of a second to load. */
async function loadRemark(): Promise<MarkdownParser> {
  const { remarkParser } = await import('./remark.ts')
  return remarkParser('gfm')
}

/** The parser of this process, chosen once. */
export const markdownParser: ChosenParser = await chooseParser(loadSatteri)
