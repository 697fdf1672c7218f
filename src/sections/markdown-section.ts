import { isJsonObject, type JsonValue } from '../domain/json.ts'
import { normalizeSection } from './normalize.ts'
import { textIn } from './values.ts'

/** The spellings of a section type `markdown`, as for other types. */
const TYPE = /^markdown([-_ ](section|block))?$/i

/**
 * The index of the section in whose place the Markdown of its page is shown: the first of type `markdown` that has no
 * text of its own. -1 without such a section: the Markdown follows the sections.
 *
 * @param sections as sent by the client.
 */
export function markdownSectionIndex(sections: readonly JsonValue[]): number {
  return sections.findIndex(
    (section) =>
      isJsonObject(section) &&
      typeof section['type'] === 'string' &&
      TYPE.test(section['type'].trim()) &&
      textIn(normalizeSection(section).props, 'body') === null,
  )
}

/** The sections of a page with its Markdown in its place, and the Markdown that follows them. */
export function withMarkdown(
  sections: readonly JsonValue[],
  markdown: string,
): { readonly sections: readonly JsonValue[]; readonly below: string } {
  const place = markdownSectionIndex(sections)
  if (place === -1) return { sections, below: markdown }
  return { sections: sections.with(place, filled(sections[place] ?? null, markdown)), below: '' }
}

function filled(section: JsonValue, body: string): JsonValue {
  if (!isJsonObject(section)) return section
  const { props } = section
  return isJsonObject(props) ? { ...section, props: { ...props, body } } : { ...section, body }
}
