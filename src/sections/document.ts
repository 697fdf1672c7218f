import type { JsonValue } from '../domain/json.ts'
import { sectionMarkdown } from './markdown.ts'
import { heading } from './markdown-text.ts'
import { normalizeSection } from './normalize.ts'
import { opensPage } from './opens-page.ts'

/**
 * A page of sections as one Markdown document, hidden sections left out.
 *
 * @param title of the page; its heading, unless the first section brings one.
 * @param sections as they were sent.
 */
export function sectionsDocument(title: string, sections: readonly JsonValue[]): string {
  const [first, ...others] = sections
    .map(normalizeSection)
    .filter((section) => section.props['hidden'] !== true)
  const opening = first !== undefined && opensPage(first)
  const parts = [
    ...(opening ? [] : [heading(1, title)]),
    ...(first === undefined ? [] : [sectionMarkdown(first, opening ? 1 : 2)]),
    ...others.map((section) => sectionMarkdown(section)),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}
