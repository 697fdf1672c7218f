import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { bodyOf, splitFrontMatter } from '../../src/page-text/front-matter.ts'
import { runs } from '../support/long-form.ts'

describe('front matter', () => {
  test.each([
    ['a text without any', '# Hello\n', {}, '# Hello\n'],
    [
      'names and values between two lines of dashes',
      '---\ntitle: Hello\n---\n# Hi\n',
      { title: 'Hello' },
      '# Hi\n',
    ],
    ['spaces after the dashes', '---  \ntitle: Hello\n--- \nHi', { title: 'Hello' }, 'Hi'],
    ['Windows line ends', '---\r\ntitle: Hello\r\n---\r\nHi\r\n', { title: 'Hello' }, 'Hi\r\n'],
    ['a byte order mark', '\uFEFF---\ntitle: Hello\n---\nHi', { title: 'Hello' }, 'Hi'],
    ['a byte order mark without front matter', '\uFEFFHi', {}, 'Hi'],
    ['nothing between the dashes', '---\n---\nHi', {}, 'Hi'],
    ['only comments between the dashes', '---\n# later\n---\nHi', {}, 'Hi'],
    ['no text after it', '---\ntitle: Hello\n---', { title: 'Hello' }, ''],
    ['dashes that are never closed', '---\ntitle: Hello\n', {}, '---\ntitle: Hello\n'],
    ['dashes further down', 'Hi\n\n---\ntitle: Hello\n---\n', {}, 'Hi\n\n---\ntitle: Hello\n---\n'],
    ['four dashes', '----\ntitle: Hello\n----\n', {}, '----\ntitle: Hello\n----\n'],
    ['dashes within a value', '---\na: |\n  ---\n  b\n---\nHi', { a: '---\nb\n' }, 'Hi'],
    ['dashes after a line separator', '---\na: "b\u2028---\u2028"\n---\nHi', { a: 'b\u2028---\u2028' }, 'Hi'],
  ])('is separated from a text with %s', (_, markdown, frontMatter, body) => {
    expect(splitFrontMatter(markdown)).toEqual({ frontMatter, body, error: null })
    expect(bodyOf(markdown)).toBe(body)
  })
})

describe('values', () => {
  const readValue = (yaml: string) => splitFrontMatter(`---\nvalue: ${yaml}\n---\n`).frontMatter['value']

  test.each([
    ['2026-05-01', '2026-05-01'],
    ['2026-05-01T10:00:00Z', '2026-05-01T10:00:00Z'],
    ['!!timestamp 2026-05-01', '2026-05-01'],
    ['!!binary aGVsbG8=', 'aGVsbG8='],
    ['yes', 'yes'],
    ['true', true],
    ['12', 12],
    ['0.5', 0.5],
    ['~', null],
    ['', null],
    ['[a, {b: c}]', ['a', { b: 'c' }]],
  ])('%s reads as %j', (yaml, value) => {
    expect(readValue(yaml)).toEqual(value)
  })

  test('an alias is replaced by its value', () => {
    expect(splitFrontMatter('---\na: &x [1]\nb: *x\n---\n').frontMatter).toEqual({ a: [1], b: [1] })
  })

  test('all JSON values survive writing and reading', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.jsonValue({ maxDepth: 4 })),
        (value) => {
          const json = JSON.parse(JSON.stringify(value))
          fc.pre(!JSON.stringify(json).includes('__proto__'))
          const { frontMatter, body, error } = splitFrontMatter(`---\n${stringify(json)}---\nBody\n`)
          expect({ frontMatter, body, error }).toEqual({
            frontMatter: json,
            body: 'Body\n',
            error: null,
          })
        },
      ),
    )
  })
})

describe('faults', () => {
  test.each([
    ['text that is no YAML', 'title: a: b', 2],
    ['a tab for indentation', 'a:\n\tb: c', 3],
    ['a name given twice', 'title: a\nother: b\ntitle: c', 4],
    ['a name given twice further down', 'outer:\n  title: a\n  title: c', 4],
    ['a list', '- a\n- b', 1],
    ['a mere word', 'hello', 1],
    ['a second document', 'a: 1\n...\nb: 2', 4],
    ['an alias of nothing', 'a: *nobody', 1],
    ['an infinite number', 'a: .inf', 1],
    ['an invalid number', 'a: .nan', 1],
    ['the character U+0000', 'a: [1, {b: "\\0"}]', 1],
    ['the name __proto__', '__proto__: {admin: true}', 1],
    ['the name __proto__ further down', 'a: [{"__proto__": 1}]', 1],
    ['more than 64 KiB', `a: "${'x'.repeat(64 * 1024)}"`, 1],
    ['more than 2,500 line breaks and colons', 'a: 1\n'.repeat(1_251), 1],
    ['more than 2,500 values', `a: [${'1,'.repeat(2_500)}]`, 1],
    ['more than 2,500 list items', `a:\n${'- 1\n'.repeat(1_251)}`, 1],
    ['more than 2,500 empty lines', '\n'.repeat(2_501), 1],
    ['a value that holds itself', 'a: &a [*a]', 1],
    ['33 levels', `a: ${'['.repeat(33)}${']'.repeat(33)}`, 1],
  ])('%s is reported with its line, and the body is kept', (_, yaml, line) => {
    const { frontMatter, body, error } = splitFrontMatter(`---\n${yaml}\n---\nBody\n`)
    expect({ frontMatter, body }).toEqual({ frontMatter: {}, body: 'Body\n' })
    expect(error).toEqual({ line, message: expect.stringMatching(/./) })
  })

  test('may have 2,500 line breaks, colons, brackets and commas, and any number of them within words', () => {
    const yaml = Array.from({ length: 1_250 }, (_, i) => `name${i}: well-known:word-${i}`).join('\n')
    expect(Object.keys(splitFrontMatter(`---\n${yaml}\n---\n`).frontMatter)).toHaveLength(1_250)
  })

  test('an expansion of aliases beyond the limit is refused', () => {
    const bomb = Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(9)}]`)
    expect(splitFrontMatter(['---', 'a0: &a0 [x]', ...bomb, '---', ''].join('\n')).error).not.toBeNull()
  })

  test.each([
    '[',
    '{',
    '{a: ',
    '- ',
    '? ',
    '{? ',
    '!a {',
    ': ',
    'a: b: ',
    '&a - ',
    '!!seq - ',
    '-\t',
    '[{',
    '!a ',
  ])('60 kB of %j are refused', (piece) => {
    const yaml = piece.repeat(60_000 / piece.length)
    expect(splitFrontMatter(`---\nx: ${yaml}\n---\nBody`).error).not.toBeNull()
    expect(splitFrontMatter(`---\n${yaml}\n---\nBody`)).toMatchObject({
      body: 'Body',
      error: { message: expect.stringMatching(/./) },
    })
  })

  test('no text makes it throw, and no prototype key gets through', () => {
    const yaml = fc.array(
      fc.constantFrom(
        'a',
        ':',
        ' ',
        '\n',
        '- ',
        '? ',
        '[',
        ']',
        '{',
        '}',
        '&x',
        '*x',
        '!!',
        '"',
        "'",
        '|',
        '>',
        '#',
        '%',
        '\t',
        '...',
        '__proto__',
        '<<',
      ),
      { maxLength: 60 },
    )
    fc.assert(
      fc.property(yaml, (pieces) => {
        const { frontMatter, body } = splitFrontMatter(`---\n${pieces.join('')}\n---\nBody`)
        expect(body.endsWith('Body')).toBe(true)
        expect(JSON.stringify(frontMatter)).not.toContain('"__proto__":')
      }),
      { numRuns: runs(500) },
    )
  })
})
