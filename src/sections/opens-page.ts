import type { Section } from '../domain/section.ts'

/** Reports whether the section contains the page's `<h1>` when it is the first one. */
export function opensPage({ type, known, props }: Section): boolean {
  return known && type === 'hero' && props['title'] !== undefined
}
