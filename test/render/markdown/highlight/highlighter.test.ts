import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadHighlighter } from '../../../../src/render/markdown/highlight/highlighter.ts'
import type { Token } from '../../../../src/render/markdown/highlight/token-cache.ts'

const { highlight } = await loadHighlighter('```ts\n```\n```json\n```\n```diff\n```')

const textOf = (lines: readonly (readonly Token[])[] | null) =>
  lines?.map((line) => line.map(({ text }) => text).join('')).join('\n')

const anyCode = fc
  .array(
    fc.constantFrom(
      'const ',
      'a',
      ' = ',
      '"b"',
      '`${',
      '}`',
      '/*',
      '*/',
      '//',
      '\n',
      '\t',
      '<',
      '{',
      '字',
      '🙂',
      '\\',
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(''))

describe('highlighted code', () => {
  test('has the text of the source, to the character', () => {
    fc.assert(
      fc.property(anyCode, fc.constantFrom('ts', 'json', 'diff'), (code, language) => {
        expect(textOf(highlight(code, language))).toBe(code)
      }),
    )
  })

  test('has a kind for the tokens that readers tell apart', () => {
    const [line] = highlight('const a = "b" // c', 'ts') ?? []
    const kindOf = (text: string) => line?.find((token) => token.text.trim() === text)?.kind
    expect([kindOf('const'), kindOf('"b"'), kindOf('// c')]).toEqual(['k', 's', 'c'])
  })

  test('has no two neighbouring tokens of one kind, and none of white space after another', () => {
    fc.assert(
      fc.property(anyCode, (code) => {
        for (const line of highlight(code, 'ts') ?? [])
          for (const [index, token] of line.slice(1).entries()) {
            expect(token.kind).not.toBe(line[index]?.kind)
            expect(token.text.trim()).not.toBe('')
          }
      }),
    )
  })

  test('is the same under every name of a language', () => {
    const code = 'let a = 1'
    expect(highlight(code, 'TypeScript')).toEqual(highlight(code, 'ts'))
  })
})

describe('code stays plain', () => {
  test('in a language that the page does not name after a fence', async () => {
    expect(highlight('fn main() {}', 'rust')).toBeNull()
    expect((await loadHighlighter('no code')).highlight('let a', 'ts')).toBeNull()
  })

  test('in an unknown language', () => {
    for (const language of ['klingon', '', '__proto__']) expect(highlight('a', language)).toBeNull()
  })

  test('when there is more than 32 KiB of it', () => {
    expect(highlight('1\n'.repeat(16_384), 'json')).not.toBeNull()
    expect(highlight('1\n'.repeat(16_385), 'json')).toBeNull()
  })

  test('on a line of more than 2,000 characters, and no other line suffers', () => {
    const lines = highlight(`[1]\n${'[1]'.repeat(700)}\n[1]`, 'json') ?? []
    const kinds = lines.map((line) => line.some(({ kind }) => kind !== null))
    expect(kinds).toEqual([true, false, true])
  })
})

test.each(['```ts', '~~~~ ts', '<code class="language-ts">', '```ts{4}', '- ```ts title="a"'])(
  'the language of %j is recognised before the page is parsed',
  async (source) => {
    expect((await loadHighlighter(source)).highlight('let a', 'ts')).not.toBeNull()
  },
)

const POPULAR =
  'bash js ts python go ruby php java csharp c cpp rust swift kotlin scala dart elixir haskell lua perl r julia sql graphql json yaml toml ini xml html css scss less vue svelte astro jsx tsx markdown diff docker nginx apache make cmake powershell bat clojure erlang elm fsharp ocaml zig nim groovy hcl terraform proto prisma solidity'

const fences = (languages: readonly string[]) => languages.map((name) => `\`\`\`${name}\n\`\`\``).join('\n')

test('a page may have code in any number of languages', async () => {
  const languages = POPULAR.split(' ')
  const many = await loadHighlighter(fences(languages))
  for (const language of languages) expect(many.highlight('x = "a"', language), language).not.toBeNull()
})

test('code in more languages than a server allows stays plain, and the reason is given', async () => {
  const few = await loadHighlighter(fences(['ts', 'json', 'typescript', 'diff']), {
    languages: 2,
    cache: null,
  })
  expect(few.highlight('let a', 'typescript')).not.toBeNull()
  expect(few.highlight('[1]', 'json')).not.toBeNull()
  expect(few.highlight('+1', 'diff')).toBeNull()
  expect(few.plainReason('diff')).toBe('a page may have code in 2 languages.')
  expect(few.plainReason('json')).toBeNull()
})

test('an unknown language has a reason with a suggestion, and plain text has none', async () => {
  const { plainReason } = await loadHighlighter(fences(['javascrip', 'text', 'ts']))
  expect(plainReason('javascrip')).toBe('there is no language of this name. Is it javascript?')
  for (const language of ['text', 'TXT', 'plaintext', 'ts']) expect(plainReason(language)).toBeNull()
})
