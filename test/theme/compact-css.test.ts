import { expect, test } from 'vitest'

import { compactCss } from '../../src/theme/compact-css.ts'

test('comments and idle white space go', () => {
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
  ['@media (min-width:1rem) and (max-width:2rem){a>b~c{color:red}}'],
])('%s means the same and stays', (css) => {
  expect(compactCss(css)).toBe(css)
})

test('a comment between two words keeps them apart', () => {
  expect(compactCss('a{margin:0/**/auto}')).toBe('a{margin:0 auto}')
})

test('compacting twice changes nothing', () => {
  const css = compactCss('a { b : c ; } /* d */ e f { g: "h  i" }')
  expect(compactCss(css)).toBe(css)
})
