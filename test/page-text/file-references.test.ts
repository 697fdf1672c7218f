import { expect, test } from 'vitest'
import { fileReferences } from '../../src/page-text/file-references.ts'

const targetsIn = (path: string, text: string) => fileReferences(path, text).map(({ target }) => target)

test.each([
  ['url()', 'a { background: url(dot.svg) }', ['dot.svg']],
  ['url() with quotes and blanks', `a { src: url( "a b.woff2" ), url('c.woff') }`, ['a b.woff2', 'c.woff']],
  ['an import', `@import "base.css"; @import url(other.css);`, ['base.css', 'other.css']],
  ['a query', '@font-face { src: url(a.eot?#iefix) }', ['a.eot?#iefix']],
])('a style sheet refers to a file by %s', (_, text, targets) => {
  expect(targetsIn('site.css', text)).toEqual(targets)
})

test.each([
  ['image', '<svg><image width="4"\n href="a.png"/></svg>', ['a.png']],
  ['image of older files', "<svg><image xlink:href='a.png'/></svg>", ['a.png']],
  ['use', '<svg><use href="icons.svg#dot"/></svg>', ['icons.svg#dot']],
])('an SVG refers to a file by %s', (_, text, targets) => {
  expect(targetsIn('plan.svg', text)).toEqual(targets)
})

test.each([
  [
    'site.css',
    'a { background: url(data:image/png;base64,AA==) url(https://a.example/b.png) url(//c/d.png) }',
  ],
  ['site.css', 'a { filter: url(#blur) } /* url(old.png) */'],
  ['plan.svg', '<svg><a href="page.html"/><use href="#dot"/><!-- <image href="a.png"/> --></svg>'],
])('other sites, data, fragments, links and comments in %s are no files', (path, text) => {
  expect(targetsIn(path, text)).toEqual([])
})

test('each reference has its line, also after a comment of several lines', () => {
  const text = '/* one\ntwo */\na { background: url(a.png) }\n\nb { background: url(b.png) }\n'
  expect(fileReferences('a.css', text).map(({ line }) => line)).toEqual([3, 5])
})
