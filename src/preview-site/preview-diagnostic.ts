import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { type ThemeError, themeErrorCode } from '../theme/theme-error.ts'

/**
 * An error that keeps a page from being rendered, with its source lines. Plain JSON: the browser shows it too.
 * `file` is relative to the content folder, or to the working directory for a file of a theme.
 */
export interface PreviewDiagnostic extends Diagnostic {
  /** The lines around the error. Empty if its line is unknown. */
  readonly frame: readonly FrameLine[]
  /** The page that was being rendered; null for an error of the whole site. */
  readonly page: RenderedAt | null
}

export interface RenderedAt {
  readonly path: string
  readonly source: string
}

export interface FrameLine {
  readonly number: number
  readonly text: string
  /** True for the line of the error. */
  readonly isMarked: boolean
}

/** Lines shown before and after the line of the error. */
const CONTEXT_LINES = 2
/** UTF-16 code units shown of each line. */
const MAX_WIDTH = 200

export async function contentDiagnostic(folder: string, error: Diagnostic): Promise<PreviewDiagnostic> {
  return { ...error, frame: await frameOf(join(folder, error.file), error.line), page: null }
}

/** @param page the page that was being rendered; null while the theme was loaded. */
export async function themeDiagnostic(
  { file, line, column, reason }: ThemeError,
  page: RenderedAt | null,
): Promise<PreviewDiagnostic> {
  const near = relative('', file)
  const code = page === null ? themeErrorCode(file) : 'QN-RENDER-FAILED'
  return {
    ...diagnostic(code, near.startsWith('..') ? file : near, reason, { line, column }),
    frame: await frameOf(file, line),
    page,
  }
}

/** @param message the reason why the page cannot be rendered. */
export function pageDiagnostic(page: RenderedAt, message: string): PreviewDiagnostic {
  return { ...diagnostic('QN-RENDER-FAILED', page.source, message), frame: [], page }
}

/** Empty for a file that no longer exists. */
async function frameOf(file: string, line: number | null): Promise<readonly FrameLine[]> {
  if (line === null) return []
  const lines = (await readFile(file, 'utf8').catch(() => '')).split(/\r\n|\r|\n/)
  const first = Math.max(1, line - CONTEXT_LINES)
  return lines.slice(first - 1, line + CONTEXT_LINES).map((text, index) => ({
    number: first + index,
    text: text.slice(0, MAX_WIDTH),
    isMarked: first + index === line,
  }))
}

/** Formats an error for a terminal: position, code and message, then the frame with a mark under the column. */
export function framedText({
  file,
  line,
  column,
  severity,
  code,
  message,
  frame,
  page,
}: PreviewDiagnostic): string {
  const position = [file, line, column].filter((part) => part !== null).join(':')
  const width = String(frame.at(-1)?.number ?? '').length
  const shown = frame.flatMap(({ number, text, isMarked }) => {
    const row = `${isMarked ? '>' : ' '} ${String(number).padStart(width)} | ${text}`
    if (!isMarked || column === null || column > MAX_WIDTH) return [row]
    return [row, `  ${' '.repeat(width)} | ${text.slice(0, column - 1).replace(/[^\t]/g, ' ')}^`]
  })
  const renderedFor =
    page === null || page.source === file ? [] : [`  while rendering ${page.path} (${page.source})`]
  return [`${position}: ${severity} ${code} ${message}`, ...shown, ...renderedFor].join('\n')
}
