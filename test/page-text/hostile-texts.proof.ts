import { expect, test } from 'vitest'
import { isDescription } from '../../src/content-folder/api-reference.ts'
import type { Page } from '../../src/domain/page.ts'
import { blockMarkdown } from '../../src/openapi/description-text.ts'
import { dedented, linesOf, regionOf } from '../../src/page-text/code-region.ts'
import { fileReferences } from '../../src/page-text/file-references.ts'
import { firstHeading } from '../../src/page-text/first-heading.ts'
import { readHeadingLine } from '../../src/page-text/heading-line.ts'
import { expandIncludes } from '../../src/page-text/includes.ts'
import { mapLinks } from '../../src/page-text/map-links.ts'
import { mapProse } from '../../src/page-text/map-prose.ts'
import { withVariables } from '../../src/page-text/page-variables.ts'
import { visibleText } from '../../src/page-text/visible-text.ts'
import { renderMarkdown } from '../../src/render/markdown/render-markdown.ts'
import { growthOf, LINEAR_GROWTH } from '../support/growth.ts'

/** A piece again and again, between a beginning and an end. */
const repeated = (start: string, piece: string, end: string) => (size: number) =>
  start + piece.repeat(Math.ceil(size / piece.length)) + end

const described = (text: string) => blockMarkdown(text, 2, { home: null, findPage: () => null })
const rendered = (text: string) => renderMarkdown(text, { href: (url) => url })
const included = (part: string) => (text: string) =>
  expandIncludes('a.md', `::include{file="b.md" ${part}}`, {
    file: () => ({ name: 'b.md', text }),
    page: () => 'none',
    links: (one) => one,
  })
const labelled = (text: string) =>
  expandIncludes('a.md', '::include{file="b.md"}\n\n::include{file="b.md"}\n', {
    file: () => ({ name: 'b.md', text }),
    page: () => 'none',
    links: (one) => one,
  })
/** Definitions of as many labels as the size allows. */
const definitions = (size: number) =>
  Array.from({ length: Math.ceil(size / 10) }, (_, number) => `[a-${number}]: /`).join('\n')
const withValues = (markdown: string) =>
  withVariables(
    {
      title: 'a',
      description: 'a',
      markdown: `{{ a }}\n${markdown}`,
      config: {},
      meta: {},
    } as unknown as Page,
    { a: 'b' },
  )

const HOSTILE: readonly (readonly [string, (size: number) => string, (text: string) => unknown])[] = [
  ['comments before a description', repeated('', '---\n#\t\n', '--'), isDescription],
  ['empty lines before a description', repeated('', ' \n', 'x'), isDescription],
  ['blanks before a description', repeated('', ' ', 'x'), isDescription],
  ['blanks in a heading of a description', repeated('# #', ' ', '\t\v\n# #'), described],
  ['signs in a heading of a description', repeated('# a', ' #', 'x'), described],
  ['brackets of a description', repeated('](#nowhere)\n', '[\u2028', ''), described],
  ['blanks in a heading of an included text', repeated('# ', ' ', '{#\u2028\n'), included('heading="a"')],
  ['signs in a heading of an included text', repeated('# a', ' {#b', '}x\n'), included('heading="a"')],
  ['blanks in an included text', repeated('a', ' ', 'b'), included('lines="1"')],
  ['brackets of one line that may be definitions', repeated('', '[a]: ', ''), labelled],
  ['definitions of an included text', definitions, labelled],
  ['blanks in a line that may be a marker', repeated('', ' ', '['), (text) => regionOf(text, 'a')],
  ['blanks between the numbers of lines', repeated('1', ' ', 'x'), (written) => linesOf('a', written)],
  ['blanks in code', repeated('a', ' ', 'b'), dedented],
  [
    'long lines of blanks that may be headings',
    repeated('', `#\t${' '.repeat(300)}\u2028\n`, ''),
    firstHeading,
  ],
  ['blanks before a fence', repeated('1) ', ' ', '~~~\u2028x'), (text) => mapProse(text, (one) => one)],
  ['signs of a fence', repeated('', '~', '\n'), withValues],
  ['words of a fence', repeated('~~~', ' variables', '`'), withValues],
  [
    'comments of a style sheet that never end',
    repeated('', '/*', ''),
    (text) => fileReferences('a.css', text),
  ],
  ['comments of an SVG that never end', repeated('', '<!--', ''), (text) => fileReferences('a.svg', text)],
  ['blanks in an address', repeated('url(', ' ', 'x'), (text) => fileReferences('a.css', text)],
  ['brackets that may be definitions', repeated(']:', '[\u2028', ''), visibleText],
  ['brackets of a component', repeated('', '::a[\u2028', ']:'), visibleText],
  ['targets that may be definitions', repeated(']:', '[\u2028', ''), (text) => mapLinks(text, (one) => one)],
  ['blanks in the text of a picture', repeated('![a', ' ', 'b](/a.png)'), rendered],
  ['blanks in the title of an alert', repeated('> [!TIP] a', ' ', 'b\n> c'), rendered],
  ['brackets of the title of code', repeated('``` js ', '\t[', '\na\n```'), rendered],
  ['blanks in a term', repeated('a', '\t', 'b\n: c'), rendered],
  ['blanks before the id of a heading', repeated('# a', '\t', 'b {#c}'), rendered],
  ['blanks after a divider', repeated(':::tabs\n::tab', ' ', 'x\n:::'), rendered],
]

test.each(HOSTILE)('%s are read in time that grows with them', (_, textOf, read) => {
  expect(growthOf(textOf, read, 64_000)).toBeLessThan(LINEAR_GROWTH)
})

test('a description is known behind comments, whatever its form', () => {
  for (const text of [
    'openapi: 3.1.0',
    '\n# A comment\n\n---\n  # Another\nopenapi: "3.0.2"',
    '%YAML 1.2\n--- # start\nopenapi: 3.1.0',
    '{\n  "openapi": "3.1.0"',
    "  {'openapi' : '3.0.0'}",
  ])
    expect(isDescription(text), text).toBe(true)
  for (const text of [
    'title: openapi: 3.1',
    '# openapi: 3.1.0',
    'swagger: "2.0"',
    'openapi: 2.0',
    '---x\nopenapi: 3.1',
  ])
    expect(isDescription(text), text).toBe(false)
})

test.each([
  ['## A title', 2, 'A title', null],
  ['# C# ', 1, 'C#', null],
  ['   ### A # b ###  ', 3, 'A # b', null],
  ['# A {#b}', 1, 'A', 'b'],
  ['# A {#b} ##', 1, 'A', 'b'],
  ['# {#b}', 1, '', 'b'],
  ['# A{#b}', 1, 'A{#b}', null],
  ['#', 1, '', null],
  ['## ##', 2, '', null],
])('the line %j is a heading of level %i', (line, depth, text, id) => {
  expect(readHeadingLine(line)).toEqual({ depth, text, id })
})

test.each(['#a', '####### a', '    # a', 'a # b', ''])('the line %j is no heading', (line) => {
  expect(readHeadingLine(line)).toBeNull()
})
