import { describe, expect, test } from 'vitest'
import { lineFinder } from '../../src/site-build/line-finder.ts'

const page = (...lines: readonly string[]) => ['---', 'title: T', '---', ...lines].join('\n')
/** The line of a text in the Markdown of a page. */
const lineOf = (written: string, ...lines: readonly string[]) =>
  lineFinder('docs/a.md', page(...lines))('markdown_content', written)

describe('the line of a text', () => {
  test.each([
    ['<t', ['<time>today</time>', '', 'Use List<T> here.'], 6],
    ['<font', ['A fontsize', '<fontsize>', '<font color="red">red</font>'], 6],
    ['<CENTER', ['<center>text</center>'], 4],
    ['/a', ['[b](/about)', '[a](/a)'], 5],
    ['/docs/a', ['[x](/other/docs/a)', '[a](/docs/a)'], 5],
    ['/%C3%BC', ['[x](/b)', '[ü](/ü)'], 5],
    ['#part', ['[x](#party)', '[x](#part)'], 5],
    ['two words', ['one', 'two', 'words'], 5],
    ['<b', ['`<b>`', '```', '<b>', '```', '<b>'], 8],
  ])('is that of %j as it is written', (written, lines, expected) => {
    expect(lineOf(written, ...lines)).toBe(expected)
  })

  test('is that of its next occurrence when it is reported again, and of the last when it is reported more often', () => {
    const find = lineFinder('docs/a.md', page('<font>', 'text', '<font>'))
    expect([1, 2, 3].map(() => find('markdown_content', '<font'))).toEqual([4, 6, 6])
  })

  test('is that of the field that holds it, and of the nearest field around it', () => {
    const find = lineFinder(
      'a.yaml',
      'title: T\nsections:\n  - type: hero\n    heading: H\n    image: /a.png\n',
    )
    expect(find('config.sections[0].image', '/a.png')).toBe(5)
    expect(find('config.sections[0].heading', undefined)).toBe(4)
    expect(find('title', undefined)).toBe(1)
  })

  test('is unknown when a text of the Markdown is not written', () => {
    expect(lineOf('/made-up', 'Text.')).toBe(null)
  })
})
