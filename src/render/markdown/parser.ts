import type { MarkdownParser } from './markdown-parser.ts'

export interface ChosenParser {
  readonly name: 'satteri' | 'remark'
  readonly parse: MarkdownParser
  /** Why the native parser is not the one; null when it is. */
  readonly reason: unknown
}

/**
 * The native parser, or the one in JavaScript where the native one cannot be loaded.
 *
 * @param loadNative imports the native parser; rejects where there is no binary for the platform.
 */
export async function chooseParser(loadNative: () => Promise<MarkdownParser>): Promise<ChosenParser> {
  try {
    return { name: 'satteri', parse: await loadNative(), reason: null }
  } catch (reason) {
    return { name: 'remark', parse: await loadRemark(), reason }
  }
}

async function loadSatteri(): Promise<MarkdownParser> {
  const { satteriParser } = await import('./satteri.ts')
  return satteriParser('gfm')
}

/** Only where it is needed: it takes a tenth of a second to load. */
async function loadRemark(): Promise<MarkdownParser> {
  const { remarkParser } = await import('./remark.ts')
  return remarkParser('gfm')
}

/** The parser of this process, chosen once. */
export const markdownParser: ChosenParser = await chooseParser(loadSatteri)
