import { expect, test } from 'vitest'
import { usedAssets } from '../../src/push/used-assets.ts'

const asset = (source: string, path: string) => ({ source, path, namedBy: null })
const ASSETS = [
  asset('static/dot.svg', 'dot.svg'),
  asset('blog/trip/tram@2x.png', 'blog/trip/tram@2x.png'),
  asset('blog/trip/Zürich am See.jpg', 'blog/trip/Zürich am See.jpg'),
]

const usesOf = (file: string, text: string) =>
  usedAssets(new Map([[file, text]]), ASSETS).map(({ asset }) => asset)

test.each([
  ['a path on the site', '![](/dot.svg)', ['static/dot.svg']],
  ['a relative path on the site', '![](../../dot.svg)', ['static/dot.svg']],
  ['the path of the file', '![](../../static/dot.svg)', ['static/dot.svg']],
  ['the name of a file next to the page', '![Tram](tram@2x.png "On time")', ['blog/trip/tram@2x.png']],
  ['a query', '<img src="./tram@2x.png?v=1">', ['blog/trip/tram@2x.png']],
  ['a percent-encoded name', '![](Z%C3%BCrich%20am%20See.jpg)', ['blog/trip/Zürich am See.jpg']],
  ['a name in angle brackets', '![](<Zürich am See.jpg>)', ['blog/trip/Zürich am See.jpg']],
  ['a field', '---\nog_image_url: /blog/trip/tram@2x.png\n---\n', ['blog/trip/tram@2x.png']],
  ['a field with blanks', '---\ncover: Zürich am See.jpg\n---\n', ['blog/trip/Zürich am See.jpg']],
  [
    'a name whose accents are separate characters',
    '![](<Zu\u0308rich am See.jpg>)',
    ['blog/trip/Zürich am See.jpg'],
  ],
  ['Markdown in a field', '---\nprops: { text: "A ![](./tram@2x.png)." }\n---\n', ['blog/trip/tram@2x.png']],
  ['CSS', "---\ncustom_css: 'a { background: url(/dot.svg) }'\n---\n", ['static/dot.svg']],
  ['an attribute on its own line', '<img\nsrc="tram@2x.png">', ['blog/trip/tram@2x.png']],
  ['a srcset of several lines', '<img srcset="x.png 1x,\n  tram@2x.png 2x">', ['blog/trip/tram@2x.png']],
  ['an attribute without quotes', '<video poster=tram@2x.png>', ['blog/trip/tram@2x.png']],
  ['a definition', '![Tram][t]\n\n[t]: tram@2x.png', ['blog/trip/tram@2x.png']],
  ['one file twice on a line', '![](/dot.svg) and ![](/dot.svg)', ['static/dot.svg']],
])('an asset is found by %s', (_, text, found) => {
  expect(usesOf('blog/trip/index.md', text)).toEqual(found)
})

test.each([
  'https://example.com/dot.svg',
  '//example.com/dot.svg',
  'dot.svg',
  '/other/dot.svg',
  'mailto:dot.svg',
])('%s names no asset of the site', (text) => {
  expect(usesOf('blog/trip/index.md', text)).toEqual([])
})

test.each([
  ['a code block', '```md\n![](/dot.svg)\n```\n'],
  ['a code span', 'Write `![](/dot.svg)`.'],
  ['prose', 'The file tram@2x.png and /dot.svg.'],
  ['a sentence in a field', '---\ndescription: About tram@2x.png and /dot.svg\n---\n'],
])('a file that %s mentions is not used', (_, text) => {
  expect(usesOf('blog/trip/index.md', text)).toEqual([])
})

test('each use has the line of its text', () => {
  const text = [
    ...[
      '---',
      'title: A',
      'sections:',
      '  - type: text',
      '    props:',
      '      content: |',
      '        One',
      '',
    ],
    ...['        ![](/dot.svg)', '  - { type: image, props: { src: tram@2x.png } }', '---', '', '', 'One'],
    ...['```', '![](tram@2x.png)', '```', '', '![](tram@2x.png)'],
  ].join('\n')
  const uses = usedAssets(new Map([['blog/trip/index.md', text]]), ASSETS)
  expect(uses.map(({ line, asset }) => [line, asset])).toEqual([
    [9, 'static/dot.svg'],
    [10, 'blog/trip/tram@2x.png'],
    [19, 'blog/trip/tram@2x.png'],
  ])
})
