import type { JsonValue } from '../../domain/json.ts'
import type { Collections } from '../../domain/live-page.ts'
import { didYouMean } from '../../domain/nearest-name.ts'
import { SECTION_TYPE_NAMES } from '../../sections/catalogue.ts'
import { isEmptyCollection } from '../../sections/collection-query.ts'
import { markdownSectionIndex, withMarkdown } from '../../sections/markdown-section.ts'
import { readSection, type SectionReading } from '../../sections/normalize.ts'
import { opensPage } from '../../sections/opens-page.ts'
import type { Theme } from '../../theme/theme.ts'
import type { Rendering } from '../page/rendering.ts'
import type { PlacedSection } from './placed-section.ts'
import { withSectionIds } from './section-ids.ts'
import { sectionView } from './section-view.ts'
import { warnAboutTypes } from './warn-about-types.ts'

export interface SectionsOfPage {
  /** Sections as the client sent them. */
  readonly sections: readonly JsonValue[]
  /** Language of the page, BCP 47. */
  readonly lang: string
  readonly collections: Collections
  /** The page's Markdown as HTML, for a section that says where it is shown. */
  readonly markdown?: string
}

export interface RenderedSections {
  readonly html: string
  /** True when the first section contains the page's `<h1>`. */
  readonly hasOwnHeading: boolean
  /** True if one of the sections has the page's Markdown. */
  readonly hasMarkdown: boolean
}

/**
 * Renders the sections of a page in order, without hidden ones and without `posts` that find nothing. Warns
 * about content that cannot be shown as intended: unknown types, missing or invalid props, dropped links.
 */
export function renderSections(
  { sections, lang, collections, markdown = '' }: SectionsOfPage,
  theme: Pick<Theme, 'section' | 'ownSections' | 'types'>,
  rendering: Rendering,
): RenderedSections {
  const place = markdownSectionIndex(sections)
  const text = place === -1 || markdown === '' ? null : { place, html: markdown }
  const placed = placeSections(readAll({ sections, collections, text }, theme, rendering), lang)
  return {
    html: placed.map((section) => theme.section(sectionView(section, rendering))).join('\n'),
    hasOwnHeading: placed[0]?.headingLevel === 1,
    hasMarkdown: text !== null,
  }
}

type ReadSection = Pick<PlacedSection, 'section' | 'at' | 'own' | 'posts' | 'bodyHtml'>

interface WrittenSections extends Pick<SectionsOfPage, 'sections' | 'collections'> {
  /** The page's Markdown, and the index of the section that shows it. */
  readonly text: { readonly place: number; readonly html: string } | null
}

function readAll(
  { sections, collections, text }: WrittenSections,
  { ownSections, types }: Pick<Theme, 'ownSections' | 'types'>,
  rendering: Rendering,
): readonly ReadSection[] {
  return sections.flatMap((value, index) => {
    const at = `config.sections[${index}]`
    const bodyHtml = text?.place === index ? text.html : undefined
    const reading = readSection(bodyHtml === undefined ? value : withoutMissingBody(value), at)
    const { section, propsAt } = reading
    const own = section !== null && !section.known && ownSections.has(section.type) ? reading.written : null
    if (section?.props['hidden'] !== true) warnAbout(reading, own !== null, at, rendering)
    if (own !== null) warnAboutTypes(own, types.sections[section?.type ?? ''] ?? {}, propsAt, rendering)
    const posts = collections.get(index) ?? []
    return section === null ? [] : [{ section, at: propsAt, own, posts, bodyHtml }]
  })
}

/** The section that shows the page's Markdown needs no text of its own. */
function withoutMissingBody(value: JsonValue): JsonValue {
  return withMarkdown([value], '-').sections[0] ?? null
}

function warnAbout(
  { section, errors, warnings }: SectionReading,
  isOwn: boolean,
  at: string,
  { warn }: Rendering,
): void {
  if (section?.known === false && !isOwn) {
    warn({
      code: 'QN-UNKNOWN-SECTION',
      at,
      message: `Unknown section type ${JSON.stringify(section.type)}; it is shown in a generic layout.${didYouMean(section.type, SECTION_TYPE_NAMES)}`,
    })
  }
  for (const { path, message } of [...errors, ...warnings]) {
    warn({ code: 'QN-BAD-PROP', at: path, message: `${path.split('.').at(-1)} ${message}` })
  }
}

/** Omitted sections still take their ids, so that showing one again breaks no link. */
function placeSections(read: readonly ReadSection[], lang: string): readonly PlacedSection[] {
  return withSectionIds(read)
    .filter(({ section, posts }) => section.props['hidden'] !== true && !isEmptyCollection(section, posts))
    .map((placed, index) => ({
      ...placed,
      lang,
      headingLevel: index === 0 && opensPage(placed.section) ? 1 : 2,
    }))
}
