import { expect, test } from 'vitest'
import type { SourceFiles } from '../../src/convert/conversion.ts'
import { detectGenerator } from '../../src/convert/generators.ts'
import { unsupportedGenerator } from '../../src/convert/unsupported-generators.ts'

function filesOf(texts: Readonly<Record<string, string>>): SourceFiles {
  return { paths: Object.keys(texts).toSorted(), diagnostics: [], text: (path) => texts[path] ?? null }
}

test.each([
  ['Zola', { 'config.toml': 'base_url = "https://z.example"\n', 'content/a.md': '' }],
  ['Fumadocs', { 'source.config.ts': '', 'content/docs/index.mdx': '', 'README.md': '' }],
  ['Fumadocs', { 'package.json': '{"dependencies":{"fumadocs-ui":"15"}}', 'content/docs/a.md': '' }],
  ['Gatsby', { 'gatsby-config.ts': '', 'content/a.md': '' }],
  ['Sphinx', { 'docs/conf.py': '', 'docs/index.rst': '', 'README.md': '' }],
])('a site of %s is known by name, and says what would work', (title, texts) => {
  const files = filesOf(texts)
  expect(detectGenerator(files, null)).toBeNull()
  expect(unsupportedGenerator(files)).toMatchObject({ title, advice: expect.stringContaining('--from') })
  expect(detectGenerator(files, 'markdown')?.name).toBe('markdown')
})

test('a site of Hugo with the same file is one of Hugo', () => {
  const files = filesOf({ 'config.toml': 'baseURL = "https://h.example"\n', 'content/a.md': '' })
  expect(unsupportedGenerator(files)).toBeNull()
  expect(detectGenerator(files, null)?.name).toBe('hugo')
})
