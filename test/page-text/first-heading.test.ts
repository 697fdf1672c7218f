import { describe, expect, test } from 'vitest'
import { firstHeading } from '../../src/page-text/first-heading.ts'
import { growthOf, LINEAR_GROWTH } from '../support/growth.ts'

describe('the heading that names a text', () => {
  test.each([
    ['# Hello\n\nText.\n', 'Hello', '\n\nText.\n'],
    ['  ## A part first ##\nText.', 'A part first', '\nText.'],
    ['Hello\n=====\nText.', 'Hello', '\n\nText.'],
    ['Two words\n---\nText.', 'Two words', '\n\nText.'],
    ['![badge](a.svg)\n\n# Name\n\nText.', 'Name', '![badge](a.svg)\n\n\n\nText.'],
    [
      '<!-- # Not this -->\n<!--\n# Nor this\n-->\n# Name',
      'Name',
      '<!-- # Not this -->\n<!--\n# Nor this\n-->\n',
    ],
    ['```md\n# Code\n```\n\n# Name', 'Name', '```md\n# Code\n```\n\n'],
    ['<h1 align="center">The <b>name</b></h1>\n\nText.', 'The name', '\n\nText.'],
    ['<h1>\n  <img src="a.svg" alt="Logo">\n  Name\n</h1>\n\nText.', 'Logo Name', null],
  ])('is found and taken out in %j', (markdown, text, rest) => {
    expect(firstHeading(markdown)).toEqual({ text, rest: rest ?? markdown })
  })

  test.each([
    ['Text first.\n\n## A part\n'],
    ['No heading.\n'],
    [''],
    ['```\n# Code\n'],
    ['    # Indented code\n'],
    ['- item\n---\n'],
    ['> quote\n---\n'],
    ['#\n'],
    ['#hashtag\n'],
    ['####### Seven\n'],
    [`# ${'x'.repeat(2_000)}`],
    ['<!-- never closed\n# Name\n'.slice(0, 18)],
  ])('is not seen in %j', (markdown) => {
    expect(firstHeading(markdown)).toBeNull()
  })

  test.each([
    ['**Bold** and _italic_ and `code *x*`', 'Bold and italic and code *x*'],
    ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
    ['[Link](https://example.com/a_(b)) and ![Alt](x.png)', 'Link and Alt'],
    ['Q&amp;A &lt;T&gt; &copy', 'Q&A <T> &copy'],
    ['Set {#set-it}', 'Set'],
    ['C#', 'C#'],
    ['1\\. Not a \\*list\\*', '1. Not a *list*'],
    ['~~Old~~ new <kbd>Ctrl</kbd>', 'Old new Ctrl'],
    ['==All of `==code==`== :tada:', 'All of ==code== 🎉'],
  ])('is shown without markup: %j', (written, text) => {
    expect(firstHeading(`# ${written}`)?.text).toBe(text)
  })

  test('is found in linear time, whatever the text', () => {
    const texts = ['<!--\n', '<h1\n', '<h1>\n', '`\n', '*a', '[', '![](', '&', '<a '].map((piece) =>
      piece.repeat(200_000),
    )
    for (const text of texts) firstHeading(text)
    for (const text of texts) firstHeading(`# ${text.slice(0, 990).replaceAll('\n', '')}`)
  })

  test('is looked for in time that grows as the number of comments', () => {
    const growth = growthOf((size) => '<!---->\n'.repeat(size / 8), firstHeading, 64_000)
    expect(growth).toBeLessThan(LINEAR_GROWTH)
  })
})
