import { expect, test } from 'vitest'
import { expandIncludes } from '../../src/page-text/includes.ts'

function expanded(page: string, included: string): string {
  const found = { name: 'part.md', text: included }
  const sources = { file: () => found, page: () => found, links: (text: string) => text }
  const { text, faults } = expandIncludes('page.md', page, sources)
  expect(faults).toEqual([])
  return text
}

const PAGE = '::include{file="part.md"}\n\nOwn [^1] and [r].\n\n[^1]: Own note.\n[r]: /own\n'

test('a page keeps its own footnotes and link definitions next to those of an included text', () => {
  const text = expanded(
    PAGE,
    'See [^1], [r], [the R][R], [r][] and [r](/direct).\n\n[^1]: Other note.\n[R]: /other\n',
  )
  expect(text).toContain(
    'See [^1-2], [r][r-2], [the R][r-2], [r][r-2] and [r](/direct).\n\n[^1-2]: Other note.\n[r-2]: /other',
  )
  expect(text).toContain('Own [^1] and [r].\n\n[^1]: Own note.\n[r]: /own')
})

test('labels of an included text that no other text defines stay, and code stays as it is', () => {
  const included = 'See [^a] and `[^1]`.\n\n```\n[r]: /code\n```\n\n[^a]: Note.\n'
  expect(expanded(PAGE, included)).toContain(included.trim())
})

test('a text that is included twice has its notes twice', () => {
  const twice = '::include{file="part.md"}\n\n::include{file="part.md"}\n'
  expect(expanded(twice, 'See [^1].\n\n[^1]: Note.')).toBe(
    'See [^1].\n\n[^1]: Note.\n\nSee [^1-2].\n\n[^1-2]: Note.\n',
  )
})
