import { expect, test } from 'vitest'
import { ownSectionSamples } from '../../src/preview-site/gallery.ts'

test('sections that only themes have are samples of their own names, each once', () => {
  const themes = new Map(
    [['hero', 'timetable'], ['timetable', 'menu'], []].map((types, index) => [
      `theme-${index}`,
      { ownSections: new Set(types) },
    ]),
  )
  expect(ownSectionSamples(themes)).toEqual([
    { type: 'menu', samples: ['menu'] },
    { type: 'timetable', samples: ['timetable'] },
  ])
})
