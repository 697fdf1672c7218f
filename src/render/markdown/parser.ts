import type { MarkdownParser } from './markdown-parser.ts'

export interface ChosenParser {
  readonly name: 'satteri' | 'remark'
  readonly parse: MarkdownParser
  /** The error of loading the native parser; null when it loaded. */
  readonly reason: unknown
}

/**
 * Chooses the native parser, or the JavaScript one where the native one cannot be loaded.
 *
 * @param loadNative imports the native parser; rejects when there is no binary for the platform.
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

/** Imported on demand, because it takes 0.1 s to load. */
async function loadRemark(): Promise<MarkdownParser> {
  const { remarkParser } = await import('./remark.ts')
  return remarkParser('gfm')
}

/** The parser of this process. */
export const markdownParser: ChosenParser = await chooseParser(loadSatteri)
