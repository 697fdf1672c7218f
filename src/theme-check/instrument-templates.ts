import { templateErrors } from '../theme/compile-templates.ts'
import type { ThemeFile, ThemeFiles } from '../theme/theme-files.ts'

/** A position in a template. */
export interface TemplatePosition {
  readonly file: string
  /** From 1. */
  readonly line: number
}

/** Templates whose elements carry their positions. They report the values that they print raw. */
export interface InstrumentedTemplates {
  readonly templates: ThemeFiles
  /** Positions by number. Elements carry the numbers, and `options.raw` receives them. */
  readonly places: readonly TemplatePosition[]
}

/** The attribute that carries the number of a position. */
export const MARK = 'data-written-at'

/** Template tags, comments and start tags of elements. */
const PARTS = /<%[\s\S]*?%>|<!--[\s\S]*?-->|<[a-z][\w-]*(?:<%=[^%]*%>)?/gi
const RAW = /^(<%[-_]?\s*~)([\s\S]*?)([-_]?%>)$/

/** Adds marks to templates. A template that would not compile with marks stays unchanged. */
export function instrumentTemplates(files: ThemeFiles): InstrumentedTemplates {
  const places: TemplatePosition[] = []
  const marked = new Map([...files].map(([name, file]) => [name, withMarks(file, places)]))
  const broken = new Set(templateErrors(marked).map(({ file }) => file))
  const templates = [...marked].map(
    ([name, file]) => [name, broken.has(file.path) ? (files.get(name) ?? file) : file] as const,
  )
  return { templates: new Map(templates), places }
}

/** Keeps line numbers, so that positions in the marked text are positions in the file. */
function withMarks({ path, text }: ThemeFile, places: TemplatePosition[]): ThemeFile {
  const marked = text.replace(PARTS, (part, at: number) => {
    const isCode = part.startsWith('<%')
    if (part.startsWith('<!--') || (isCode && !isWrittenRaw(part))) return part
    const line = text.slice(0, at).split('\n').length
    const number = places.push({ file: path, line }) - 1
    if (!isCode) return `${part} ${MARK}="${number}"`
    return part.replace(RAW, (_, open, code, close) => `${open} options.raw((${code}), ${number}) ${close}`)
  })
  return { path, text: marked }
}

/** Output of partials, blocks and layouts is excluded, because it is checked where it is printed. */
function isWrittenRaw(tag: string): boolean {
  const [, , code] = RAW.exec(tag) ?? []
  return code !== undefined && !/^\s*(include\(|block\(|it\.body\s*$)/.test(code)
}
