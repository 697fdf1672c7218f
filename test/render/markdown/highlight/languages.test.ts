import fc from 'fast-check'
import { expect, test } from 'vitest'
import { loadLanguages } from '../../../../src/render/markdown/highlight/languages.ts'

const { grammarName, loadGrammar } = await loadLanguages()

test.each([
  ['ts', 'typescript'],
  ['TypeScript', 'typescript'],
  ['C++', 'cpp'],
  ['c#', 'csharp'],
  ['bash', 'shellscript'],
  ['Dockerfile', 'docker'],
  ['yml', 'yaml'],
  ['json5', 'json5'],
  ['console', 'shellsession'],
  ['sh', 'shellscript'],
  ['env', 'dotenv'],
  ['dotenv', 'dotenv'],
  ['hcl', 'hcl'],
  ['tf', 'terraform'],
  ['vue', 'vue'],
  ['h', 'c'],
  ['hpp', 'cpp'],
  ['golang', 'go'],
  ['mermaid', 'mermaid'],
  ['F#', 'fsharp'],
  ['objective-c', 'objective-c'],
])('code written in %s is highlighted as %s', (written, name) => {
  expect(grammarName(written)).toBe(name)
})

test.each(['', 'klingon', 'constructor', '__proto__', 'toString', 'hasOwnProperty', '../c', ' ts'])(
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
  await expect(loadGrammar('klingon')).rejects.toThrow(RangeError)
})

test('a grammar that embeds nearly all languages comes without them', async () => {
  for (const name of ['typst', 'org'])
    expect((await loadGrammar(name)).map((one) => one.name)).toEqual([name])
})
