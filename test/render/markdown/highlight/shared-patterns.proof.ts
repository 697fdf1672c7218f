import fc from 'fast-check'
import { createHighlighterCore } from 'shiki/core'
import { createOnigurumaEngine } from 'shiki/engine/oniguruma'
import { expect, test } from 'vitest'
import { loadLanguages } from '../../../../src/render/markdown/highlight/languages.ts'
import { sharePatterns } from '../../../../src/render/markdown/highlight/shared-patterns.ts'
import { KIND_THEME } from '../../../../src/render/markdown/highlight/token-kinds.ts'

const engine = await createOnigurumaEngine(import('shiki/wasm'))
const LANGUAGES = [
  'cpp',
  'css',
  'html',
  'markdown',
  'php',
  'powershell',
  'python',
  'ruby',
  'rust',
  'tsx',
  'yaml',
]

/** Code of several languages, and what begins and ends their blocks. */
const PIECES =
  'const a = `x`;|/* c */|// d|<p class="a">|</p>|<script>|</script>|<?php|?>|"""|\'|"|fn f<\'a>()|#{b}|- key: &v|*v|  |$x = @(1)|std::vector<int>|a { b: url(c) }|=>|\\|字|🙂|\n|```js|```|# h|%w[a b]|<<~E|E|r#"|"#'.split(
    '|',
  )

test('code has the tokens that it has with expressions of its own for every scanner', async () => {
  const languages = await loadLanguages()
  const create = async (name: string, of: typeof engine) =>
    createHighlighterCore({
      engine: of,
      langs: [await languages.loadGrammar(name)],
      themes: [KIND_THEME],
      warnings: false,
    })
  const shared = sharePatterns(engine)
  const pairs = await Promise.all(
    LANGUAGES.map(async (lang) => ({
      lang,
      plain: await create(lang, engine),
      sharing: await create(lang, shared),
    })),
  )
  const code = fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(fc.constantFrom(...pairs), code, ({ lang, plain, sharing }, text) => {
      // Without the default time limit, after which the rest of a line stays plain.
      const options = { lang, theme: KIND_THEME, tokenizeTimeLimit: 0 }
      expect(sharing.codeToTokensBase(text, options)).toEqual(plain.codeToTokensBase(text, options))
    }),
    { numRuns: 300 },
  )
})

test('an expression is compiled once for all scanners, and released with the last of them', () => {
  let compiled = 0
  let released = 0
  const shared = sharePatterns({
    createString: (text) => engine.createString(text),
    createScanner(sources) {
      const scanner = engine.createScanner(sources)
      compiled += 1
      return {
        findNextMatchSync: (text, position, options) => scanner.findNextMatchSync(text, position, options),
        dispose() {
          released += 1
          scanner.dispose?.()
        },
      }
    },
  })
  const [first, second] = [shared.createScanner(['a', 'b']), shared.createScanner(['b', 'c'])]
  const text = shared.createString('xcba')
  expect(first.findNextMatchSync(text, 0, 0)).toMatchObject({ index: 1, captureIndices: [{ start: 2 }] })
  expect(second.findNextMatchSync(text, 0, 0)).toMatchObject({ index: 1, captureIndices: [{ start: 1 }] })
  expect(second.findNextMatchSync(text, 2, 0)).toMatchObject({ index: 0, captureIndices: [{ start: 2 }] })
  expect(first.findNextMatchSync(text, 4, 0)).toBeNull()
  expect(compiled).toBe(3)
  first.dispose?.()
  first.dispose?.()
  expect(released).toBe(1)
  expect(second.findNextMatchSync(text, 0, 0)).toMatchObject({ index: 1 })
  second.dispose?.()
  expect(released).toBe(3)
})
