import type { InvalidField } from '../domain/section.ts'
import { readSection } from './normalize.ts'

export const MAX_SECTIONS = 200

/**
 * Every break of structure in `config.sections`, with its path. Unknown types, missing props and
 * props nobody knows are none.
 *
 * @param sections the value as a client sent it; undefined when the config has no sections.
 */
export function sectionFaults(sections: unknown): readonly InvalidField[] {
  const at = 'config.sections'
  if (sections === undefined) return []
  if (!Array.isArray(sections)) return [{ path: at, message: 'must be an array.' }]
  if (sections.length > MAX_SECTIONS)
    return [{ path: at, message: `must have at most ${MAX_SECTIONS} sections.` }]
  return sections.flatMap((section, index) => readSection(section, `${at}[${index}]`).faults)
}
