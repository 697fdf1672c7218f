import type { JsonValue } from '../../domain/json.ts'

/** A text or number on one line. Undefined when it is empty or something else. */
export function fieldText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.replace(/\s+/g, ' ').trim() : undefined
}

/** The first code points of a text. */
export function firstCharacters(text: string, count: number): string {
  return text.length <= count ? text : [...text].slice(0, count).join('')
}
