import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderMarkdown } from '../../../src/render/markdown/render-markdown.ts'
import { runs } from '../../support/long-form.ts'

const unclosedIn = (source: string) =>
  renderMarkdown(source, { href: (url) => url }).diagnostics.flatMap(({ excerpt, message }) =>
    message.includes('is never closed') ? [excerpt] : [],
  )

describe('an unclosed element', () => {
  test.each([
    ['in a paragraph', 'The <details> element.\n\nMore.', ['<details> element.']],
    ['beside others that are', '<b>a</b> and <b>c.\n\n<i>d</i>', ['<b>c.']],
    ['as a block', '<div class="x">\n\nText\n', ['<div class="x">']],
    ['inside another', '<div><b>a</div>', ['<b>a']],
    ['of any case', '<DETAILS>\n\na', ['<DETAILS>']],
    ['in a list and in a heading', '- <em>a\n- b\n\n## <b> c', ['<em>a', '<b> c']],
  ])('is reported as written %s', (_, source, written) => expect(unclosedIn(source)).toEqual(written))

  test.each([
    ['ends by itself', '<p>a<br>b<hr>\n<ul><li>a<li>b</ul>\n\n<img src="/a.png"> <wbr>'],
    ['is code', '`<details>`\n\n    <b>\n\n```html\n<details>\n```'],
    ['is escaped', '\\<details> &lt;b>'],
    ['is commented out', '<!-- <b> --> a <!-- <details>\n-->'],
    ['goes with what it stands in', '<script>let a = "<b>"</script>\n\n<template><b></template>'],
    ['stands in quotes', '<a title="<b>" href="/x">c</a>'],
    ['is closed further down', '<details>\n<summary>a</summary>\n\n**b**\n\n</details>'],
    ['no page may have', 'List<String>'],
  ])('is not reported where it %s', (_, source) => expect(unclosedIn(source)).toEqual([]))

  test('is reported once for each missing end tag', () => {
    const names = ['b', 'i', 'details', 'div', 'kbd']
    const tag = fc.record({ name: fc.constantFrom(...names), isEnd: fc.boolean() })
    fc.assert(
      fc.property(fc.array(tag, { maxLength: 12 }), (tags) => {
        const source = tags.map(({ name, isEnd }) => `x <${isEnd ? '/' : ''}${name}>`).join(' ')
        const open = names.flatMap((name) => {
          const depth = tags.reduce(
            (depth, tag) => (tag.name !== name ? depth : tag.isEnd ? Math.max(0, depth - 1) : depth + 1),
            0,
          )
          return Array.from({ length: depth }, () => name)
        })
        const told = unclosedIn(source).map((written) => /^<(\w+)>/.exec(written)?.[1])
        expect(told.sort()).toEqual(open.sort())
      }),
      { numRuns: runs(200) },
    )
  })
})
