import { readdirSync, readFileSync } from 'node:fs'

import { prefixedLinks } from '../../src/render/links.ts'
import { createRendering } from '../../src/render/rendering.ts'
import { renderSections } from '../../src/render/sections.ts'
import type { Theme } from '../../src/theme/theme.ts'

const CASES = new URL('../../fixtures/sections/', import.meta.url)

/** How much a section says, as the ends of the names of fixtures have it. */
export type Fullness = 'full' | 'minimal' | 'overlong' | 'right-to-left'

/** Have sample pages of their own. */
const SHOWN_ELSEWHERE = /^(hero|features|cta)-/

/** Every other fixture of this fullness on one page, after one another. */
export function catalogueHtml(theme: Theme, fullness: Fullness): string {
  const names = readdirSync(CASES).filter(
    (name) => name.endsWith(`-${fullness}`) && !SHOWN_ELSEWHERE.test(name),
  )
  const sections = names.flatMap((name) =>
    JSON.parse(readFileSync(new URL(`${name}/sections.json`, CASES), 'utf8')),
  )
  const lang = fullness === 'right-to-left' ? 'ar' : 'en'
  const rendering = createRendering(prefixedLinks({ pages: '/', files: '/' }))
  return renderSections({ sections, lang }, theme, rendering).html
}
