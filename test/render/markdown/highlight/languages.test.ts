import fc from 'fast-check'
import { expect, test } from 'vitest'
import { grammarName, loadGrammar } from '../../../../src/render/markdown/highlight/languages.ts'

test.each([
  ['ts', 'typescript'],
  ['TypeScript', 'typescript'],
  ['C++', 'cpp'],
  ['c#', 'csharp'],
  ['bash', 'shellscript'],
  ['Dockerfile', 'docker'],
  ['yml', 'yaml'],
  ['json5', 'jsonc'],
])('code written in %s is highlighted as %s', (written, name) => {
  expect(grammarName(written)).toBe(name)
})

test.each(['', 'mermaid', 'constructor', '__proto__', 'toString', 'hasOwnProperty', '../c', ' ts'])(
  'code written in %j stays plain',
  (written) => {
    expect(grammarName(written)).toBeNull()
  },
)

test('a name is found once: its grammar has the same name, in any case', () => {
  const written = fc.constantFrom('js', 'PY', 'sh', 'Rust', 'html', 'tf', 'mjs', 'SVG', 'go', 'xx')
  fc.assert(
    fc.property(written, (language) => {
      const name = grammarName(language)
      if (name !== null) expect(grammarName(name)).toBe(name)
      expect(grammarName(language.toUpperCase())).toBe(grammarName(language.toLowerCase()))
    }),
  )
})

test('a grammar comes with the grammars it embeds, and the caller may change the list', async () => {
  const grammars = await loadGrammar('json')
  expect(grammars.map(({ name }) => name)).toContain('json')
  grammars.pop()
  expect((await loadGrammar('json')).map(({ name }) => name)).toContain('json')
})

test('an unknown grammar cannot be loaded', async () => {
  await expect(loadGrammar('mermaid')).rejects.toThrow(RangeError)
})
