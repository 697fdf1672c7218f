import { templateErrors } from '../theme/compile-templates.ts'
import type { ThemeFile, ThemeFiles } from '../theme/theme-files.ts'

/** Where in a template something was written. */
export interface TemplatePosition {
  readonly file: string
  /** From 1. */
  readonly line: number
}

/** Templates whose elements carry the place they were written at, and that tell what they write raw. */
export interface InstrumentedTemplates {
  readonly templates: ThemeFiles
  /** Places by the numbers that elements carry, and that `options.raw` is called with. */
  readonly places: readonly TemplatePosition[]
}

/** The attribute that carries the number of a place. */
export const MARK = 'data-written-at'

/** What is written as it is but is no element's beginning, and tags of a template. */
const PARTS = /<%[\s\S]*?%>|<!--[\s\S]*?-->|<[a-z][\w-]*(?:<%=[^%]*%>)?/gi
const RAW = /^(<%[-_]?\s*~)([\s\S]*?)([-_]?%>)$/

/** Of files whose text would not compile with marks in it the text stays as it is. */
export function instrumentTemplates(files: ThemeFiles): InstrumentedTemplates {
  const places: TemplatePosition[] = []
  const marked = new Map([...files].map(([name, file]) => [name, withMarks(file, places)]))
  const broken = new Set(templateErrors(marked).map(({ file }) => file))
  const templates = [...marked].map(
    ([name, file]) => [name, broken.has(file.path) ? (files.get(name) ?? file) : file] as const,
  )
  return { templates: new Map(templates), places }
}

/** No line becomes another, so that what is told of the text is true of the file. */
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

/** What templates made themselves is looked at where they did. */
function isWrittenRaw(tag: string): boolean {
  const [, , code] = RAW.exec(tag) ?? []
  return code !== undefined && !/^\s*(include\(|block\(|it\.body\s*$)/.test(code)
}
