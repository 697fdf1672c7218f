import type { ElementContent } from 'hast'
import { describe, expect, test } from 'vitest'
import { enhanceBlockquote } from '../../../../src/render/markdown/enhance/alert.ts'
import { element } from '../../../../src/render/markdown/enhance/element.ts'
import { createEnhanceContext } from '../../../../src/render/markdown/enhance/enhance-context.ts'

const text = (value: string) => ({ type: 'text', value }) as const
const quote = (...content: ElementContent[]) =>
  element('blockquote', {}, [element('p', {}, content), element('p', {}, [text('More.')])])

function enhanced(first: readonly ElementContent[], labels = {}) {
  const source = quote(...first)
  const [shown] = enhanceBlockquote(source, createEnhanceContext({ href: () => null, labels }, new Set()))
  return { shown, isAlert: shown !== source }
}

describe('a quote', () => {
  test.each(['note', 'tip', 'important', 'warning', 'caution'])(
    'is an alert of this kind when it starts with [!%s]',
    (kind) => {
      for (const marker of [`[!${kind}]`, `[!${kind.toUpperCase()}]  \n`])
        expect(enhanced([text(`${marker}${marker.endsWith('\n') ? 'Text' : ''}`)]).shown).toMatchObject({
          tagName: 'div',
          properties: { className: ['alert', `alert-${kind}`], role: 'note' },
        })
    },
  )

  test.each(['[!quote]\na', '[!note]a', 'a\n[!note]', '[note]\na', '[!note', '!note'])(
    'stays a quote when it starts with %j',
    (written) => {
      expect(enhanced([text(written)]).isAlert).toBe(false)
    },
  )

  test.each([
    ['info', 'note'],
    ['DANGER', 'caution'],
  ])('becomes for [!%s] the alert %s', (name, kind) => {
    const { shown } = enhanced([text(`[!${name}]\nText`)])
    expect(shown).toMatchObject({ properties: { className: ['alert', `alert-${kind}`] } })
  })

  test('with formatting on the line of its marker stays a quote', () => {
    expect(enhanced([text('[!note] '), element('b', {}, [text('a')])]).isAlert).toBe(false)
    expect(enhanced([text('[!note]'), element('br', {}, []), text('a')]).isAlert).toBe(true)
  })

  test('with a marker and nothing else stays a quote, since there is nothing to alert to', () => {
    const alone = element('blockquote', {}, [element('p', {}, [text('[!note]')])])
    expect(enhanceBlockquote(alone, createEnhanceContext({ href: () => null }, new Set()))).toEqual([alone])
  })

  test('without a paragraph at its start stays a quote', () => {
    for (const children of [[], [text('\n')], [element('ul', {}, [])]]) {
      const other = element('blockquote', {}, children)
      expect(enhanceBlockquote(other, createEnhanceContext({ href: () => null }, new Set()))).toEqual([other])
    }
  })
})

test('an alert is named in the language of the page and contains the quote without its marker', () => {
  const { shown } = enhanced([text('[!TIP]\nText')], { tip: 'Tipp' })
  const json = JSON.stringify(shown)
  expect(json).toContain('"Tipp"')
  expect(json).not.toContain('[!')
  expect(json.indexOf('"Text"')).toBeLessThan(json.indexOf('"More."'))
})
