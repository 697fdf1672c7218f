import { expect, test } from 'vitest'
import { addressesOf, linksResolved } from '../../src/content-folder/file-links.ts'

const addresses = addressesOf(
  [
    { source: 'docs/a.md', subroute: 'docs', slug: 'a' },
    { source: 'team.yaml', subroute: '', slug: 'team' },
    { source: 'docs/prices.page.json', subroute: 'docs', slug: 'prices' },
    { source: 'docs/zwei drei.md', subroute: 'docs', slug: 'zwei-drei' },
  ],
  [{ source: 'static/images/b.svg', path: 'images/b.svg' }],
  {},
)

test.each([
  ['docs/b.md', '[a](a.md)', '[a](/docs/a)'],
  ['docs/b.md', '[a](/docs/a.md?x#y)', '[a](/docs/a?x#y)'],
  ['blog/b.md', '[a](../docs/a.md#part)', '[a](/docs/a#part)'],
  ['docs/b.md', '[a](./%61%2Emd)', '[a](/docs/a)'],
  ['docs/b.md', '[a](<zwei drei.md>)', '[a](/docs/zwei-drei)'],
  ['docs/b.md', '[t](../team.yaml)', '[t](/team)'],
  ['b.md', '[p](docs/prices.page.json)', '[p](/docs/prices)'],
  ['docs/b.md', '![b](../static/images/b.svg)', '![b](/images/b.svg)'],
  ['docs/b.md', '![b](../static/./images/b.svg)', '![b](/images/b.svg)'],
  ['docs/b.md', '![b](../%73tatic/images/b.svg)', '![b](/images/b.svg)'],
  ['docs/b.md', '[a]\n\n[a]: a.md "A"', '[a]\n\n[a]: /docs/a "A"'],
  ['docs/b.md', '<img src="../static/images/b.svg">', '<img src="/images/b.svg">'],
  ['docs/b.md', '`[a](a.md)`', '`[a](a.md)`'],
  ['docs/b.md', '[a](a)', '[a](a)'],
  ['docs/b.md', '[none](none.md)', '[none](none.md)'],
  ['docs/b.md', '[w](https://a.example/b_(c)) 5 %', '[w](https://a.example/b_(c)) 5 %'],
  ['docs/b.md', '[a](<>) and [b](<c d>) 5 %', '[a](<>) and [b](<c d>) 5 %'],
])('in %s, %s becomes %s', (source, written, read) => {
  expect(linksResolved(written, source, addresses)).toBe(read)
})
