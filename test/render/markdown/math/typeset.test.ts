import fc from 'fast-check'
import type { Element, Nodes } from 'hast'
import { describe, expect, test } from 'vitest'
import { loadTypeset } from '../../../../src/render/markdown/math/typeset.ts'

const typeset = await loadTypeset('$a$')

function mathOf(tex: string, isDisplay = false): Element {
  const result = typeset(tex, isDisplay)
  if ('error' in result) throw new Error(result.error)
  return result.math
}

function errorOf(tex: string): string | null {
  const result = typeset(tex, false)
  return 'error' in result ? result.error : null
}

function elementsIn(node: Nodes): readonly Element[] {
  if (node.type !== 'element') return []
  return [node, ...node.children.flatMap((child) => elementsIn(child))]
}

describe('a formula', () => {
  test('is MathML, which browsers show and screen readers speak without a script', () => {
    const math = mathOf('\\frac{a}{b}')
    expect(elementsIn(math).map(({ tagName }) => tagName)).toContain('mfrac')
    expect(math.properties['alttext']).toBe('\\frac{a}{b}')
  })

  test('stands on a line of its own only when it is written so', () => {
    expect(mathOf('a', true).properties['display']).toBe('block')
    expect(mathOf('a').properties['display']).toBeUndefined()
  })

  test('does not depend on the formulas before it', () => {
    const alone = mathOf('x^2')
    for (const other of ['\\unknown', '\\color{red} a', '\\begin{matrix}a\\end{matrix}', '\\def\\x{y}'])
      typeset(other, true)
    expect(mathOf('x^2')).toEqual(alone)
  })
})

describe('a formula that cannot be shown', () => {
  test.each(['\\frac{a', '\\unknown', '{', 'a & b', '\\left('])('is refused with a reason: %j', (tex) => {
    expect(errorOf(tex)).toMatch(/\S/)
    expect(errorOf(tex)).not.toMatch(/\n|\.$/)
  })

  test.each(['\\def\\a{b}\\a', '\\newcommand{\\a}{b}', '\\let\\a=b', '\\gdef\\a{b}', '\\global\\def\\a{}'])(
    'must not define commands: %j',
    (tex) => {
      expect(errorOf(tex)).toBe('it must not define commands')
    },
  )

  test('is refused when it is nested too deeply', () => {
    expect(errorOf(`${'\\sqrt{'.repeat(200)}a${'}'.repeat(200)}`)).toBe('it is too large')
  })
})

describe('a hostile formula', () => {
  test.each([
    '\\href{javascript:alert(1)}{a}',
    '\\url{javascript:alert(1)}',
    '\\includegraphics{https://evil.example/a.png}',
    '\\class{alert}{a}',
    '\\id{content}{a}',
    '\\style{color: red}{a}',
    '\\data{x=1}{a}',
    '\\text{<script>alert(1)</script>}',
    '\\color{red;position:fixed}{a}',
  ])('yields neither links nor styles nor attributes of its own: %j', (tex) => {
    const result = typeset(tex, false)
    const elements = 'math' in result ? elementsIn(result.math) : []
    for (const { tagName, properties } of elements) {
      expect(tagName).toMatch(/^(?:math|m[a-z]+|none|semantics)$/)
      for (const name of ['href', 'src', 'style', 'id']) expect(properties).not.toHaveProperty(name)
    }
  })

  test('is either math or an error, whatever it is', () => {
    const piece = fc.constantFrom(
      ...[
        '\\frac',
        '\\sqrt',
        '{',
        '}',
        '^',
        '_',
        '&',
        '\\\\',
        '\\left',
        '\\right',
        '(',
        '|',
        '\\begin{matrix}',
      ],
      ...['\\end{matrix}', '\\text{', '\\color{', '\\href{', '#1', '$', '%', '~', 'a', '字', '\0', '<b>'],
    )
    const tex = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      fc.string({ unit: 'binary', maxLength: 30 }),
    )
    fc.assert(
      fc.property(tex, fc.boolean(), (written, isDisplay) => {
        const result = typeset(written, isDisplay)
        if ('error' in result) expect(result.error).not.toBe('')
        else
          for (const { properties } of elementsIn(result.math)) expect(properties).not.toHaveProperty('style')
      }),
      { numRuns: 300 },
    )
  })
})

test('the renderer is not loaded for a page without two dollar signs on a line', async () => {
  for (const source of ['', 'It costs $5.', '$5\n$6'])
    expect((await loadTypeset(source))('a', false)).toEqual({ error: 'formulas are not loaded' })
  expect((await loadTypeset('$$\na\n$$'))('a', false)).toHaveProperty('math')
})
