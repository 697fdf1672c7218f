import { expect, test } from 'vitest'
import { readNetlifyRedirects } from '../../src/content-folder/netlify-redirects.ts'
import { isLinkAddress } from '../../src/domain/author-url.ts'
import { svgDocumentSize } from '../../src/images/svg/svg-size.ts'
import { findFormulas } from '../../src/render/markdown/placeholders/find-formulas.ts'
import { compactCss } from '../../src/theme/compact-css.ts'
import { growthOf, LINEAR_GROWTH } from '../support/growth.ts'

/* Texts of users that regular expressions read once took time that grows with the square of their length. */

const formulas = (text: string) => findFormulas([{ text, isCode: false }], [])

test.each<[name: string, work: (text: string) => unknown, textOf: (size: number) => string]>([
  ['an address of an author', isLinkAddress, (size) => `mailto:${':'.repeat(size)} `],
  ['a comment in a file of redirects', readNetlifyRedirects, (size) => `${'\t#'.repeat(size / 2)}\r`],
  ['the width of a drawing', svgDocumentSize, (size) => `<svg width="${'0'.repeat(size)}."/>`],
  ['URLs that do not end in custom CSS', compactCss, (size) => 'url('.repeat(size / 4)],
  ['blanks before the rule of a table', formulas, (size) => `$\n${' '.repeat(size)}x|`],
  ['blanks after the rule of a table', formulas, (size) => `$\n-|-${' '.repeat(size)}x`],
])('%s takes time that grows with its length', (_, work, textOf) => {
  expect(growthOf(textOf, (text) => attempted(work, text))).toBeLessThan(LINEAR_GROWTH)
})

/** A refusal takes its time as well. */
function attempted(work: (text: string) => unknown, text: string): void {
  try {
    work(text)
  } catch {
    return
  }
}
