import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findFormulas } from '../../../../src/render/markdown/placeholders/find-formulas.ts'
import type { Placeholder } from '../../../../src/render/markdown/placeholders/placeholder.ts'
import { joinParagraphs, sourceLines } from '../../../../src/render/markdown/placeholders/source-lines.ts'

/** The formulas of a text, and the text with their sources back in place. */
function find(text: string) {
  const placeholders: Placeholder[] = []
  const paragraphs = joinParagraphs(sourceLines(text))
  const marked = findFormulas(paragraphs, placeholders)
    .map((paragraph) => paragraph.text)
    .join('\n')
  const restored = marked.replace(
    /\uFDD0(\d+)\uFDD1/g,
    (_, number) => placeholders[Number(number)]?.source ?? '',
  )
  const formulas = placeholders.flatMap((found) => (found.type === 'formula' ? [found] : []))
  return { marked, restored, formulas }
}

const texIn = (text: string) => find(text).formulas.map(({ tex }) => tex)

describe('a formula', () => {
  test.each([
    ['$x$', 'x'],
    ['Let $x$.', 'x'],
    ['($x$)', 'x'],
    ['$a_1 * b_2$', 'a_1 * b_2'],
    ['$\\$5$', '\\$5'],
    ['$5 + 3$', '5 + 3'],
    ['$$x$$', 'x'],
    ['$$\nx\n$$', '\nx\n'],
    ['> $$\n> x\n> $$', '\nx\n'],
    ['字 $x$ 字', 'x'],
    ['- A ` and $x$\n- A `', 'x'],
  ])('is found in %j', (text, tex) => {
    expect(texIn(text)).toEqual([tex])
  })

  test('is a display when it has two dollar signs on each side', () => {
    expect(find('$a$ $$b$$').formulas.map(({ isDisplay }) => isDisplay)).toEqual([false, true])
  })

  test('has one placeholder when it occurs twice, so that link labels with it still match', () => {
    const { marked, formulas } = find('[$x$]: /a\n\n[$x$]')
    expect(formulas).toHaveLength(1)
    expect(marked).not.toContain('$')
  })
})

describe('a dollar sign is text', () => {
  test.each([
    ['as a price', 'It costs $5 or $6.'],
    ['in a range of prices', '$5-$10 per month'],
    ['as two prices with words between them', '$5, or maybe 5$'],
    ['in a shell', 'echo $HOME/$USER'],
    ['inside code', '`$x$`'],
    ['inside code after an escaped backslash', '\\\\`$x$`'],
    ['inside code after an escaped backtick', '\\``$x$`'],
    ['inside code with two backticks', '``a ` $x$``'],
    ['in a fenced block', '```\n$x$\n```'],
    ['with a backslash', '\\$x\\$'],
    ['with white space inside', '$ x $'],
    ['before a digit', '$x$5'],
    ['in a URL', 'https://a.example/?a=$x$'],
    ['across paragraphs', '$$a\n\nb$$'],
    ['across lines when it is alone', '$a\nb$'],
    ['around nothing', '$$ $$ $$$$'],
    ['around more than 2,000 characters', `$$${'a'.repeat(2_001)}$$`],
  ])('when it is written %s', (_, text) => {
    expect(texIn(text)).toEqual([])
  })
})

test('a text loses no character to its formulas, whatever it is', () => {
  const piece = fc.constantFrom(
    '$',
    '$$',
    '`',
    '``',
    '\\',
    'x',
    ' ',
    '\n',
    '\n\n',
    '5',
    '> ',
    '- ',
    '```\n',
    '字',
    ',',
  )
  const text = fc.oneof(
    fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
    fc.string({ unit: 'grapheme' }).map((written) => written.replace(/[\uFDD0\uFDD1\r]/g, '')),
  )
  fc.assert(
    fc.property(text, (written) => {
      expect(find(written).restored).toBe(written)
    }),
    { numRuns: 500 },
  )
})

test('long runs of marks that open nothing are read to their end', () => {
  for (const mark of ['$', '`', '$ ', '$a', '`$', '\\$', '$$\\']) {
    const text = mark.repeat(10_000)
    expect(find(text).restored).toBe(text)
  }
})
