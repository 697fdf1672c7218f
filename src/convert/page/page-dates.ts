import type { JsonObject } from '../../domain/json.ts'
import type { FieldProblem, PageTarget } from '../conversion.ts'
import { PUBLISHED_FIELDS, UPDATED_FIELDS } from './field-names.ts'
import { leftOut, quotedValue } from './field-problems.ts'
import { readSourceDate } from './source-date.ts'

/** The first date of these fields that can be read. */
export function dateIn(frontMatter: JsonObject, names: readonly string[]): string | undefined {
  return names.map((name) => readSourceDate(frontMatter[name])).find((date) => date !== null) ?? undefined
}

/** Diagnostics about unreadable dates, and about dates that this type of page does not have. */
export function dateProblems(frontMatter: JsonObject, type: PageTarget['type']): readonly FieldProblem[] {
  return [...PUBLISHED_FIELDS, ...UPDATED_FIELDS].flatMap((name) => {
    const value = frontMatter[name] ?? ''
    // In VitePress a boolean switches the date on or off.
    if (typeof value === 'boolean' || (typeof value === 'string' && value.trim() === '')) return []
    if (readSourceDate(value) === null)
      return [leftOut(name, `${quotedValue(value)} is not a date that can be read`)]
    if (type === 'article' || (type === 'docs' && UPDATED_FIELDS.includes(name))) return []
    const docsToo = type === 'docs' ? ', and docs pages only that of their last edit' : ''
    return [leftOut(name, `only articles have a date${docsToo}`)]
  })
}
