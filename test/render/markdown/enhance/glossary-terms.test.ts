import { describe, expect, test } from 'vitest'
import type { ComponentSchema } from '../../../../src/domain/component.ts'
import { glossaryOf } from '../../../../src/domain/glossary.ts'
import type { JsonObject } from '../../../../src/domain/json.ts'
import { renderMarkdown } from '../../../../src/render/markdown/render-markdown.ts'
import { growthOf, LINEAR_GROWTH } from '../../../support/growth.ts'

const href = (url: string) => url

function render(markdown: string, terms: JsonObject, components = {}): string {
  const glossary = glossaryOf({ glossary: { terms } })
  return renderMarkdown(markdown, { href, ...(glossary !== null && { glossary }), ...components }).html
}

/** The words of a text that show an explanation. */
function explained(html: string): readonly string[] {
  return [...html.matchAll(/class="term"[^>]*>([^<]*)<\/button>/g)].map(([, word = '']) => word)
}

describe('a term of the glossary', () => {
  test.each([
    ['e-mail', 'Send an e-mail today.', 'e-mail'],
    ['e-mail', 'E-mail is old.', 'E-mail'],
    ['end-to-end', 'An end-to-end test.', 'end-to-end'],
    ['C/C++', 'Written in C/C++, mostly.', 'C/C++'],
    ['C++', 'Written in C++.', 'C++'],
    ['node.js', 'Runs in node.js.', 'node.js'],
    ['a (b) [c] {d} e', 'So a (b) \\[c] {d} e it is.', 'a (b) [c] {d} e'],
    ['$x^2', 'No term begins so.', undefined],
    ['ßa', 'So Sa is no form of it, ßa is.', 'ßa'],
    ['鍵', '内容鍵です', '鍵'],
    ['AI 技術', 'AI 技術です', 'AI 技術'],
  ])('%j may have any characters, and is explained in %j', (term, text, found) => {
    const words = explained(render(text, { [term]: 'An explanation.', AI: 'Short.' }))
    expect(words).toEqual(found === undefined ? [] : [found])
  })

  test('is a whole word', () => {
    expect(explained(render('Emails, e-mails and e-mail_2, an xe-mail.', { 'e-mail': 'Post.' }))).toEqual([])
  })

  test('costs the same for each letter of a text, however many terms a glossary has', () => {
    const words = (count: number) =>
      Array.from({ length: count }, (_, index) => `w${((index * 7919) % 100_003).toString(26)}`).join(' ')
    const work = (text: string) => {
      const forms = text.split(' ').map((word) => `${word} lease`)
      const terms: JsonObject = Object.fromEntries(
        Array.from({ length: 500 }, (_, index) => {
          const [form = 'none', ...also] = forms.filter((_, place) => place % 500 === index)
          return [form, { text: 'A word.', also }]
        }),
      )
      return render(text, terms)
    }
    expect(growthOf(words, work, 625)).toBeLessThan(LINEAR_GROWTH)
  })
})

describe('a label', () => {
  const schema: ComponentSchema = {
    description: 'A promotion.',
    sample: '::promo',
    attributes: {},
    label: 'optional',
    body: 'optional',
  }
  const components = {
    components: {
      schemas: new Map([['promo', schema]]),
      render: ({ labelHtml, html }: { labelHtml: string | null; html: string }) =>
        `<section><a href="/x">${labelHtml}</a>${html}</section>`,
    },
  }

  test('has no explanation in a component, whose template would print it in a link; its text has', () => {
    const html = render(
      ':::promo[The **CDN** is a CDN]\nA *CDN* in a CDN.\n:::\n\nA CDN.',
      { CDN: 'Copies of files.' },
      components,
    )
    expect(html).toContain('<a href="/x">The <strong>CDN</strong> is a CDN</a>')
    expect(html).toMatch(/<em><button[^>]*>CDN<\/button>/)
    expect(explained(html)).toEqual(['CDN'])
  })

  test('uses up no explanation in a component: the first occurrence in the text has it', () => {
    const html = render('::promo[The CDN]\n\nA CDN.', { CDN: 'Copies of files.' }, components)
    expect(explained(html)).toEqual(['CDN'])
  })

  test('has none in a tab or a tile, and its body has', () => {
    const html = render(':::tabs\n::tab[The CDN]\nA CDN.\n:::\n\n:::cards\n::card[A lease]\nA lease.\n:::', {
      CDN: 'Copies of files.',
      lease: 'A right.',
    })
    expect(html).toContain('The CDN</p>')
    expect(html).toContain('A lease</p>')
    expect(explained(html)).toEqual(['CDN', 'lease'])
  })
})
