import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cssIssueText, customCssIssues } from '../../src/page-text/custom-css.ts'
import { cssSyntaxIssue } from '../../src/render/page/css-syntax.ts'

const faults = (css: string) => customCssIssues(css).map(cssIssueText)

test.each([
  'a { color: red }',
  'a { background: url(https://cdn.example/a.png) }',
  'a { background: URL( "/a.png" ) } b { mask: url(#shape) } c { background: url(a.png?x=y:z) }',
  'a { background: url(data:image/svg+xml;base64,AAAA) } @font-face { src: url("data:font/woff2;base64,AA==") }',
  'a { background: image-set("a.png" 1x, url(b.png) 2x type("image/png")) }',
  '.behavior:hover { color: red } .import { content: "@import expression(1) javascript:" }',
  '/* @import "a.css"; expression(1) */ a { --behaviour: none }',
  'a[href^="javascript:"] { color: red }',
  '@layer a { @media print { @supports (top: 0) { a { b { &:hover { color: red } } } } } }',
  'a { width: calc((1px + (2px * (3 - (1 + 1))))) }',
])('the style %s is allowed', (css) => {
  expect(faults(css)).toEqual([])
})

const ADDRESS = 'addresses must be https, relative, or images and fonts in data: URLs.'

test.each([
  ['a{}\n @import "b.css";', 'line 2, column 2: @import is not allowed; put the rules here.'],
  ['@\\69 mport url(x);', 'line 1, column 1: @import is not allowed; put the rules here.'],
  ['a {\n  background: url(javascript:x)\n}', `line 2, column 15: ${ADDRESS}`],
  ['a{b:url(http://a.example/)}', `line 1, column 5: ${ADDRESS}`],
  ['a{b:url( //a.example/ )}', `line 1, column 5: ${ADDRESS}`],
  ['a{b:url("/\\5c a.example/")}', `line 1, column 9: ${ADDRESS}`],
  ['a{b:u\\72 l(java\\73 cript:x)}', `line 1, column 5: ${ADDRESS}`],
  ["a{b:url('\\6aavascript:x')}", `line 1, column 9: ${ADDRESS}`],
  ['a{b:url("java\\9script:x")}', `line 1, column 9: ${ADDRESS}`],
  ['a{b:url(data:text/html,x)}', `line 1, column 5: ${ADDRESS}`],
  ['a{b:image-set("ftp://x" 1x)}', `line 1, column 15: ${ADDRESS}`],
  ['a{b:src("vbscript:x")}', `line 1, column 9: ${ADDRESS}`],
  ['a{--x:url(blob:x)}', `line 1, column 7: ${ADDRESS}`],
  ['a{width:expression(alert(1))}', 'line 1, column 9: expression() is not allowed.'],
  ['a{width:EXPR\\45SSION(1)}', 'line 1, column 9: expression() is not allowed.'],
  ['a{/**/behavior /**/ :url(#x)}', 'line 1, column 7: behavior is not allowed.'],
  ['a{top:0;-moz-binding:none}', 'line 1, column 9: -moz-binding is not allowed.'],
  ['a{'.repeat(9), 'line 1, column 18: blocks and brackets may be nested 8 deep.'],
  ['a{"}"/*}*/b]{c:([{'.repeat(2), 'line 1, column 35: blocks and brackets may be nested 8 deep.'],
])('the style %j is refused', (css, fault) => {
  expect(faults(css)).toEqual([fault])
})

test('several problems are reported at once, up to a limit', () => {
  expect(faults('a{b:url(x:y);c:url(x:y)}')).toHaveLength(2)
  expect(faults('a{b:url(x:y)}'.repeat(100))).toHaveLength(10)
})

test('a syntax error is reported with its position', async () => {
  expect(await cssSyntaxIssue('a {\n  color: red;\n  b c;\n}')).toMatchObject({ line: 3 })
  expect(await cssSyntaxIssue('a { color: "b\n" }')).toMatchObject({ line: 1, column: 12 })
  expect(await cssSyntaxIssue('a{}}')).not.toBeNull()
  expect(await cssSyntaxIssue('a{color:red')).toBeNull()
})

test('the parser terminates on all CSS that passes the check', async () => {
  const piece = fc.constantFrom(
    ...[
      'a{',
      'calc(',
      ':not(',
      '@media (',
      '(',
      '[',
      '{',
      '}',
      ')',
      ']',
      ';',
      '"',
      "'",
      '/*',
      '*/',
      '\\',
      '\n',
    ],
    ...['url(', 'url("', '@supports not (', 'a', ':', ',', '&', '--x:', '1px', '+ ', '<', '@layer a{', '!'],
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async (pieces) => {
      const css = pieces.join('')
      if (faults(css).length === 0) await cssSyntaxIssue(css)
    }),
    { numRuns: 500 },
  )
})
