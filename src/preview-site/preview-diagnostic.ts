import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { SiteFault } from '../content-folder/site.ts'
import type { ThemeError } from '../theme/theme-error.ts'

/** Something that must be mended before a page shows what was written. Plain JSON, for the browser too. */
export interface DevFault {
  /** As an author knows it: relative to the content folder, or to where the command was started. */
  readonly file: string
  /** Both from 1; null where they are not known. */
  readonly line: number | null
  readonly column: number | null
  /** With the field, where the fault is about one. */
  readonly message: string
  /** The lines around it; empty where there are none. */
  readonly frame: readonly FrameLine[]
  /** The page that was being made; null for a fault of the whole site. */
  readonly page: { readonly path: string; readonly source: string } | null
}

export interface FrameLine {
  readonly number: number
  readonly text: string
  readonly isFaulty: boolean
}

/** Lines shown before and after the one with the fault. */
const AROUND = 2
const MAX_WIDTH = 200

export async function contentFault(folder: string, fault: SiteFault): Promise<DevFault> {
  const { file, line, column, field, message } = fault
  return {
    ...{ file, line, column },
    message: field === null ? message : `${field} ${message}`,
    frame: await frameOf(join(folder, file), line),
    page: null,
  }
}

/** @param page that was rendered; null while the theme was loaded. */
export async function themeFault(error: ThemeError, page: DevFault['page']): Promise<DevFault> {
  const { file, line, column, reason } = error
  const near = relative('', file)
  return {
    ...{ file: near.startsWith('..') ? file : near, line, column, page },
    message: reason,
    frame: await frameOf(file, line),
  }
}

/** @param message why the page cannot be rendered at all. */
export function pageFault(page: NonNullable<DevFault['page']>, message: string): DevFault {
  return { file: page.source, line: null, column: null, message, frame: [], page }
}

/** A file that has gone since has no lines to show. */
async function frameOf(file: string, line: number | null): Promise<readonly FrameLine[]> {
  if (line === null) return []
  const lines = (await readFile(file, 'utf8').catch(() => '')).split(/\r\n|\r|\n/)
  const first = Math.max(1, line - AROUND)
  return lines.slice(first - 1, line + AROUND).map((text, index) => ({
    number: first + index,
    text: text.slice(0, MAX_WIDTH),
    isFaulty: first + index === line,
  }))
}

/** For a terminal: the place and the message, then the lines around it with a mark under the column. */
export function faultText({ file, line, column, message, frame, page }: DevFault): string {
  const place = [file, line, column].filter((part) => part !== null).join(':')
  const width = String(frame.at(-1)?.number ?? '').length
  const shown = frame.flatMap(({ number, text, isFaulty }) => {
    const own = `${isFaulty ? '>' : ' '} ${String(number).padStart(width)} | ${text}`
    if (!isFaulty || column === null || column > MAX_WIDTH) return [own]
    return [own, `  ${' '.repeat(width)} | ${text.slice(0, column - 1).replace(/[^\t]/g, ' ')}^`]
  })
  const of = page === null || page.source === file ? [] : [`  on ${page.path} (${page.source})`]
  return [`${place}: ${message}`, ...shown, ...of].join('\n')
}
