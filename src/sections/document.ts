import type { JsonValue } from '../domain/json.ts'
import type { Collections, ListedPage } from '../domain/live-page.ts'
import type { Section } from '../domain/section.ts'
import { isEmptyCollection } from './collection-query.ts'
import { sectionMarkdown } from './markdown.ts'
import { heading, link, phrase } from './markdown-text.ts'
import { normalizeSection } from './normalize.ts'
import { opensPage } from './opens-page.ts'

/**
 * A page of sections as one Markdown document, without hidden sections.
 *
 * @param title of the page, used as heading unless the first section has one.
 * @param sections as sent by the client.
 * @param collections pages that its `posts` sections show; sections without pages are omitted.
 */
export function sectionsDocument(
  title: string,
  sections: readonly JsonValue[],
  collections: Collections,
): string {
  const [first, ...others] = sections
    .map((section, index) => ({ section: normalizeSection(section), posts: collections.get(index) ?? [] }))
    .filter(({ section, posts }) => section.props['hidden'] !== true && !isEmptyCollection(section, posts))
  const opening = first !== undefined && opensPage(first.section)
  const parts = [
    ...(opening ? [] : [heading(1, title)]),
    ...(first === undefined ? [] : partsOf(first, opening ? 1 : 2)),
    ...others.flatMap((section) => partsOf(section, 2)),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function partsOf(
  { section, posts }: { readonly section: Section; readonly posts: readonly ListedPage[] },
  level: 1 | 2,
): readonly string[] {
  return [sectionMarkdown(section, level), posts.map(postLine).join('\n')]
}

/** E.g. `- [Hello](/blog/hello), 2026-03-03, Ada: What it is about.` */
function postLine({ path, title, date, author, excerpt }: ListedPage): string {
  const facts = [date?.slice(0, 10), author].map((fact) => (fact ? `, ${phrase(fact)}` : ''))
  return `- ${link(title, path) ?? phrase(title)}${facts.join('')}${excerpt === null ? '' : `: ${phrase(excerpt)}`}`
}
