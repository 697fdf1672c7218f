import { existsSync, readFileSync } from 'node:fs'
import type { JsonValue } from '../../src/domain/json.ts'
import type { Collections } from '../../src/domain/live-page.ts'

export const SECTION_FIXTURES = new URL('../../templates/section-samples/', import.meta.url)

/** A folder of `templates/section-samples`: the sections as sent and, of `posts`, the pages that each would show. */
export function sectionFixture(name: string): {
  readonly sections: readonly JsonValue[]
  readonly collections: Collections
} {
  const read = (file: string) => new URL(`${name}/${file}`, SECTION_FIXTURES)
  const sections = JSON.parse(readFileSync(read('sections.json'), 'utf8'))
  const shown = read('collections.json')
  const listed = existsSync(shown) ? JSON.parse(readFileSync(shown, 'utf8')) : {}
  return {
    sections,
    collections: new Map(Object.entries(listed).map(([at, pages]) => [Number(at), pages])) as Collections,
  }
}
