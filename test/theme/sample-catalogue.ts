import { readdirSync } from 'node:fs'

import type { JsonValue } from '../../src/domain/json.ts'
import type { ListedPage } from '../../src/domain/live-page.ts'
import { prefixedLinks } from '../../src/render/links/links.ts'
import { createRendering } from '../../src/render/page/rendering.ts'
import { renderSections, type SectionsOfPage } from '../../src/render/sections/render-sections.ts'
import type { Theme } from '../../src/theme/theme.ts'
import { SECTION_FIXTURES, sectionFixture } from '../support/section-fixture.ts'

/** Amount of content in a section; fixture names end with it. */
export type Fullness = 'full' | 'minimal' | 'overlong' | 'right-to-left'

/** Types that have sample pages of their own. */
const SHOWN_ELSEWHERE = /^(hero|features|cta)-/

/** All other fixtures of this fullness on one page. */
export function catalogueHtml(theme: Theme, fullness: Fullness): string {
  const names = readdirSync(SECTION_FIXTURES).filter(
    (name) => name.endsWith(`-${fullness}`) && !SHOWN_ELSEWHERE.test(name),
  )
  const lang = fullness === 'right-to-left' ? 'ar' : 'en'
  const rendering = createRendering(prefixedLinks({ pages: '/', files: '/' }))
  return renderSections({ ...joined(names), lang }, theme, rendering).html
}

function joined(names: readonly string[]): Pick<SectionsOfPage, 'sections' | 'collections'> {
  const sections: JsonValue[] = []
  const collections = new Map<number, readonly ListedPage[]>()
  for (const fixture of names.map(sectionFixture)) {
    for (const [at, pages] of fixture.collections) collections.set(sections.length + at, pages)
    sections.push(...fixture.sections)
  }
  return { sections, collections }
}
