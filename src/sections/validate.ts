import type { InvalidField } from '../domain/invalid-field.ts'
import { readSection } from './normalize.ts'

export const MAX_SECTIONS = 200

/**
 * Structural errors in `config.sections`, with their paths. Unknown types and missing or unknown props are
 * not errors.
 *
 * @param sections as sent by the client; undefined when the config has none.
 */
export function sectionErrors(sections: unknown): readonly InvalidField[] {
  const at = 'config.sections'
  if (sections === undefined) return []
  if (!Array.isArray(sections)) return [{ path: at, message: 'must be an array.', code: 'wrong_type' }]
  if (sections.length > MAX_SECTIONS)
    return [{ path: at, message: `must have at most ${MAX_SECTIONS} sections.`, code: 'wrong_length' }]
  return sections.flatMap((section, index) => readSection(section, `${at}[${index}]`).errors)
}
