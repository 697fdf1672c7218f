import fc from 'fast-check'
import { transform } from 'lightningcss'
import { expect, test } from 'vitest'

import { compactCss } from '../../src/theme/compact-css.ts'

test('comments and insignificant white space are removed', () => {
  expect(
    compactCss('/* one */ a , b {\n  color : red;\n  margin: 0 auto;\n}\n\n/* two { */\np { top: 0 }'),
  ).toBe('a,b{color :red;margin:0 auto}p{top:0}')
})

test.each([
  ['a :hover{color:red}'],
  ['a{width:calc(1px + 2px - 3px)}'],
  ['a::after{content:"/* kept */ {  } ; \\" "}'],
  ["a::after{content:'a  ,  b'}"],
  ['a{background:url(a/*b*/c  d.png)}'],
  ['a::after{content:";}  {"}'],
  ['.a\\: b .c\\} d .e\\26  f{color:red}'],
  ['a::after{content:"one\\\n  two"}'],
  ['@media (min-width:1rem) and (max-width:2rem){a>b~c{color:red}}'],
])('%s is significant and stays', (css) => {
  expect(compactCss(css)).toBe(css)
})

test('a comment between two words becomes a space', () => {
  expect(compactCss('a{margin:0/**/auto}')).toBe('a{margin:0 auto}')
})

test('compacting twice changes nothing', () => {
  const css = compactCss('a { b : c ; } /* d */ e f { g: "h  i" }')
  expect(compactCss(css)).toBe(css)
})

test('a parser reads the same in the compact form', () => {
  const piece = fc.constantFrom(
    ...['a', '.b', '#c', ':hover', '::before', '{', '}', ':', ',', ' ', '\n', '  ', '>', '+', '(', ')'],
    ...['color', 'red', '--x', '1px', '-1em', 'calc(', 'url(x y)', 'url("a  b")', '"a;  }"', '\\'],
    ...[' /* x */ ', '@media print', '@layer a', '!important', '\\26 ', '\\:', '\\}', '[a="b  c"]'],
    ...['a{color:red}', 'b { top : 0 ; }', 'content', '&', '*', 'é'],
  )
  const frame = fc.constantFrom(['', ''], ['a { content : x ', ' y ; } b{}'], ['', '{color:red}'])
  const read = (css: string) => {
    try {
      return spaceless(transform({ filename: 'a.css', code: Buffer.from(css), minify: true }).code.toString())
    } catch {
      return null
    }
  }
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), frame, (pieces, [start, end]) => {
      const css = start + pieces.join('') + end
      const before = read(css)
      if (before !== null) expect(read(compactCss(css))).toBe(before)
    }),
    { numRuns: 1000 },
  )
})

/** Removes the space that custom property values keep, whose amount may differ. */
function spaceless(css: string): string {
  return css
    .replace(/(\() +| +(?=\))/g, '$1')
    .replace(/[ ;]*(}) *| *([{,;]) *|(:) +| +/g, (_, ...marks) => marks.slice(0, 3).join('') || ' ')
}
