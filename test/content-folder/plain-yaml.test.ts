import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { plainYaml } from '../../src/content-folder/plain-yaml.ts'
import { isParseIssue, readYaml } from '../../src/content-folder/yaml-source.ts'

const name = fc.oneof(
  fc.constantFrom('title', 'slug', 'true', 'null', 'y', 'edit_url', '__proto__', 'constructor'),
  fc.stringMatching(/^[a-z][a-z0-9_-]{0,5}$/),
)
const bare = fc.oneof(
  fc.constantFrom(
    'true',
    'Null',
    '~',
    '12',
    '1.5',
    '0x1F',
    '.inf',
    '2026-11-22',
    '2026-11-2',
    'yes',
    '- a',
    'a #b',
  ),
  fc.stringMatching(/^[A-Za-z0-9_./,()' :#&*!|>%@`?-]{1,8}$/),
  fc.string(),
)
const line = fc.oneof(
  fc.tuple(name, bare).map(([name, text]) => `${name}: ${text}`),
  fc.tuple(name, fc.string({ unit: 'binary' })).map(([name, text]) => `${name}: "${text}"`),
  fc.constantFrom('', '# a note', '---', '  indented: text', 'list: [a, b]', 'list:', '- a'),
)

test('what is told without a parser is what the parser tells', () => {
  let plain = 0
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('', '\n', '\n\n', '\r', '\t', ' ', '\u00a0', '\ufeff', '\v', '\n\u2028'),
      (lines, end) => {
        const text = lines.join('\n') + end
        const told = plainYaml(text)
        if (told === null) return
        plain += 1
        const document = parseDocument(text, { version: '1.2', schema: 'core' })
        expect(document.errors).toEqual([])
        expect(told).toEqual(document.toJS())
        expect(Object.keys(told)).toEqual(Object.keys(document.toJS()))
        const [source, parsed] = [readYaml(text, 2), readYaml(`${text}\n# a note`, 2)]
        if (isParseIssue(source) || isParseIssue(parsed)) expect.unreachable()
        for (const path of [[], ['none'], ...Object.keys(told).map((name) => [name, 'x'])])
          expect(source.placeOf(path)).toEqual(parsed.placeOf(path))
      },
    ),
    { numRuns: 20_000 },
  )
  expect(plain).toBeGreaterThan(200)
})

test('usual front matter needs no parser, and its places are told all the same', () => {
  const text = 'title: "Über uns, “kurz”"\nslug: about-us\ndate: 2026-11-22\ntype: docs\n'
  expect(plainYaml(text)).toEqual({
    title: 'Über uns, “kurz”',
    slug: 'about-us',
    date: '2026-11-22',
    type: 'docs',
  })
  const source = readYaml(text, 2)
  if (isParseIssue(source)) expect.unreachable()
  expect(source.placeOf(['slug'])).toEqual({ line: 3, column: 1 })
})
