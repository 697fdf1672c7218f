import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { visibleText } from '../../src/page-text/visible-text.ts'
import { anyText } from '../support/markdown-text.ts'

const words = (markdown: string) =>
  visibleText(markdown)
    .split(/\s+/)
    .filter((word) => /\w/.test(word))
    .join(' ')

describe('visibleText', () => {
  test.each([
    ['headings', '# One\n\nTwo\n===\n', 'One Two'],
    ['emphasis', '**bold** and *it*alic and ~~gone~~', 'bold and italic and gone'],
    ['lists', '- a\n* b\n+ c\n1. d\n   2) e', 'a b c d e'],
    ['numbers that start no list', '2026 was fine. 3.5 was not.', '2026 was fine. 3.5 was not.'],
    ['tasks', '- [x] done\n- [ ] open', 'done open'],
    ['quotes', '> a\n> > b', 'a b'],
    ['links', '[the guide](https://x.org/a_(b) "title") here', 'the guide here'],
    ['links by reference', '[a][x] [b][] [c]\n\n[x]: https://x.org "title"\n', 'a b c'],
    ['links around code', '[`code`](https://x.org)', 'code'],
    ['bare links', '<https://x.org> and https://y.org', '<https://x.org> and https://y.org'],
    ['images', 'a ![alt text](x.png "title") b ![alt][x]', 'a b'],
    ['linked images', '[![alt](a.png)](b) c', 'c'],
    ['inline code', 'use `a <b> [c](d)` now', 'use a <b> [c](d) now'],
    ['fenced code', 'a\n```js {1}\n# b [c](d) <e>\n```\nf', 'a b [c](d) <e> f'],
    ['tildes and longer fences', '~~~~ text\n~~~\na\n~~~~\nb', 'a b'],
    ['fences in lists and quotes', '- ```js\n  a\n  ```\n\n> ```js\n> b\n> ```\n\nc', 'a b c'],
    ['a fence that is never closed', '```js\na', 'a'],
    ['backticks that open no fence', '``` `a` b', 'a b'],
    ['tables', '| a | b |\n|---|:-:|\n|c|d|', 'a b c d'],
    ['inline HTML', 'H<sub>2</sub>O <br>is <a href="x y">wet</a>', 'H2O is wet'],
    ['block HTML', '<div class="a b">\n<p>a</p><p>b</p>\n</div>', 'a b'],
    ['what looks like a tag', 'a < b and c > d', 'a b and c d'],
    ['comments', 'a <!-- b --> c\n\n<!-- d\n\n```\ne\n```\n-->\n\nf', 'a c f'],
    ['scripts and styles', '<style>\na {}\n\nb {}\n</style>\n\n<script>c</script>\n\nd', 'c d'],
    ['entities', 'caf&eacute;&nbsp;AT&amp;T &copy;', 'caf ATT'],
    ['footnotes', 'a[^1] b\n\n[^1]: The note.', 'a b The note.'],
    ['videos and sounds', 'a\n\n> ::video[b]{src="c"}\n::audio{src="d"}\n\ne', 'a e'],
    ['alerts', '> [!NOTE]\n> Text', '!NOTE Text'],
    ['Windows line ends', '# a\r\n\r\n```\r\nb\r\n```\r\n', 'a b'],
  ])('finds the visible words in %s', (_, markdown, expected) => {
    expect(words(markdown)).toBe(expected)
  })
})

test('the visible text of a block does not depend on the text before it', () => {
  const before = ']: [^ {# [ ![ ]( ][ < & |'
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 5 }), (texts) => {
      const text = texts.join('\n')
      expect(visibleText(`${before}\n\n${text}`).endsWith(visibleText(text))).toBe(true)
    }),
  )
})
