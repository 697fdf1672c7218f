import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import type { PageOutline } from './outline.ts'
import { counterpartOf } from './renamed-fields.ts'

/** Values of `config` that pages of a type show without a field of their own. */
const SHOWN: Readonly<Record<PageOutline['type'], readonly string[]>> = {
  page: ['glossary'],
  article: ['image', 'glossary'],
  docs: ['glossary'],
  item: ['glossary'],
}

/**
 * Warns once of each unknown field that no template reads, however many files have it.
 *
 * @param isRead whether a template reads the field.
 * @param lineOf the line of a field in a file.
 */
export function unreadFieldWarnings(
  outlines: readonly PageOutline[],
  isRead: (field: string) => boolean,
  lineOf: (file: string, field: string) => number | null,
): readonly Diagnostic[] {
  const pagesWith = new Map<string, PageOutline[]>()
  for (const outline of outlines) {
    for (const field of outline.customFields?.split('\n') ?? []) {
      if (SHOWN[outline.type].includes(field)) continue
      const pages = pagesWith.get(field)
      if (pages === undefined) pagesWith.set(field, [outline])
      else pages.push(outline)
    }
  }
  return [...pagesWith]
    .filter(([field]) => !isRead(field))
    .map(([field, [first, ...others]]) => {
      const { source: file, type } = first as PageOutline
      const message = `No template reads the field "${field}". It stays in \`config\`.${counterpartOf(field, type)}${restOf(others.length)}`
      return diagnostic('QN-UNREAD-FIELD', file, message, { line: lineOf(file, field), field })
    })
}

function restOf(count: number): string {
  if (count === 0) return ''
  return count === 1 ? ' 1 other file has it too.' : ` ${count} other files have it too.`
}
