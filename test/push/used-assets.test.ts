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
  ['a field', 'og_image_url: /blog/trip/tram@2x.png', ['blog/trip/tram@2x.png']],
  ['one file twice on a line', '/dot.svg and /dot.svg', ['static/dot.svg']],
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
