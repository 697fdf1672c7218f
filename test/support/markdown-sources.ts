import fc from 'fast-check'
import { anyText } from './markdown-text.ts'

const starts = ',,,  ,    ,\t,> ,> > ,- ,* ,+ ,1. ,7) ,0. ,- [ ] ,- [x] '.split(',')
const blocks = [
  ',,# One,## Two *b* ##,###### six,#,Under\n===,Under\n---,---,***,    indented  ,- \n,-,1.,- a\n\n  b,- a\n- b\n\n- c',
  '```js {1} title="a.js"\ncode <b> &amp;\n```,~~~\n\n~~~,``` \tx\n```,```,## Here {#here},$$\na\nb\n$$,  - deeper',
  '| a | b |\n|:--|--:|\n| c |\n| d | e | f |,| a |\n| :-: |,| - | - |,|a\\|b|`c|d`|,[!NOTE],[!tip]\ntext,> [!NOTE]\n> a',
  '[a]: b.md "T",[a]: <javascript:x>,[b]: /c (d),[ä]: #e \'f\',[a]:,:::note Title,:::tabs,::tab[A],:::,::video{src="a.mp4" loop},::audio[B]{src="javascript:x"},::video{src="b c.webm" poster="d.png" captions="e" title="F"},::video{src=g}',
].flatMap((some) => some.split(','))
const phrases = [
  'word a  **  *  _  __  ~~  ~  `  ``  `a`  \\  [  ]  ](  )  ![  <  >  "  \'  $x$  $5  {#id}  😀  字  é  \u00a0  &amp;  &nbsp;  &#0;  &#32;  &#9;',
  '](b.md)  ](<b c> "t")  ](javascript:x \'t\')  ](data:image/png;base64,A)  ](#x)  ](b%20c%zz%)  ](%E0)  ](ü/[x]|`^)  ](😀)',
  '](mailto:a)  ](HTTP://a)  ](a:b)  ](/a:b)  ![a|20x30](b.png "Caption")  ![f](g.mp4 "H")  ![](c)  [![i](j "k")](l)  [a]  [a][]  [x][a]  ![b]',
  '[Ä]  []()  <https://a.example/b?c=d&e>  <mailto:a@b.example>  www.a.example  https://b.example/(c)  a@b.example  [^1]  <b>',
]
  .flatMap((some) => some.split('  '))
  .concat(' ', '  ', '\n', '  \n', '\\\n', ' \t\n ', '\\\n&#32;', '&#9;\n')
const line = fc
  .tuple(
    fc.array(fc.constantFrom(...starts), { maxLength: 3 }),
    fc.oneof(
      fc.constantFrom(...blocks),
      fc.array(fc.constantFrom(...phrases), { maxLength: 10 }).map((parts) => parts.join('')),
      anyText,
    ),
  )
  .map(([before, text]) => text.replace(/^/gm, before.join('')))
/** Pages of Markdown lines in any order, of every kind except raw HTML. */
export const markdownSources: fc.Arbitrary<string> = fc
  .array(line, { maxLength: 12 })
  .map((lines) => lines.join('\n'))
