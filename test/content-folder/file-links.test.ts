import { expect, test } from 'vitest'
import { addressesOf, linksResolved } from '../../src/content-folder/file-links.ts'

const addresses = addressesOf(
  [
    { source: 'docs/a.md', subroute: 'docs', slug: 'a' },
    { source: 'team.yaml', subroute: '', slug: 'team' },
    { source: 'docs/prices.page.json', subroute: 'docs', slug: 'prices' },
    { source: 'docs/zwei drei.md', subroute: 'docs', slug: 'zwei-drei' },
    { source: 'README.md', subroute: '', slug: 'index' },
    { source: 'docs/index.md', subroute: 'docs', slug: 'index' },
    { source: 'docs/guides/ReadMe.markdown', subroute: 'docs/guides', slug: 'index' },
    { source: 'docs/a/guides/index.yaml', subroute: 'docs/a/guides', slug: 'index' },
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
  ['docs/b.md', '[top](../README.md)', '[top](/)'],
  ['docs/b.md', '[part](../README.md#part)', '[part](/#part)'],
  ['docs/b.md', '[own](README.md?x#y)', '[own](/docs?x#y)'],
  ['README.md', '[g](docs/guides/ReadMe.markdown)', '[g](/docs/guides)'],
  ['README.md', '[d](./docs/)', '[d](/docs)'],
  ['docs/b.md', '[g](guides/#part)', '[g](/docs/guides#part)'],
  ['docs/b.md', '[g](./guides/ "Guides")', '[g](/docs/guides "Guides")'],
  ['docs/a.md', '[g](./guides/)', '[g](./guides/)'],
  ['docs/b.md', '[none](./none/)', '[none](./none/)'],
  ['docs/b.md', '[up](../) and [top](/docs/)', '[up](../) and [top](/docs/)'],
  ['docs/b.md', '[a](a)', '[a](a)'],
  ['docs/b.md', '[none](none.md)', '[none](none.md)'],
  ['docs/b.md', '[w](https://a.example/b_(c)) 5 %', '[w](https://a.example/b_(c)) 5 %'],
  ['docs/b.md', '[a](<>) and [b](<c d>) 5 %', '[a](<>) and [b](<c d>) 5 %'],
])('in %s, %s becomes %s', (source, written, read) => {
  expect(linksResolved(written, source, addresses)).toBe(read)
})
