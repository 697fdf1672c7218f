import type { Section } from '../domain/section.ts'

/** Whether the section, standing first on its page, brings the page's own heading. */
export function opensPage({ type, known, props }: Section): boolean {
  return known && type === 'hero' && props['title'] !== undefined
}
