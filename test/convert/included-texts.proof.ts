import { expect, test } from 'vitest'
import type { GeneratorName } from '../../src/convert/conversion.ts'
import { convertTexts } from './convert-texts.ts'

const MEBIBYTE = 1024 * 1024
const LARGE = `${'x'.repeat(99)}\n`.repeat(MEBIBYTE / 100)

test.each<[GeneratorName, Record<string, string>]>([
  [
    'vitepress',
    {
      '.vitepress/config.js': 'export default {}',
      'a.md': '<<< ./large.txt\n\n'.repeat(40),
      'large.txt': LARGE,
    },
  ],
  [
    'docusaurus',
    {
      'docusaurus.config.js': 'module.exports = {}',
      'docs/a.mdx': 'import Part from "./_part.mdx"\n\n<Part />\n',
      'docs/_part.mdx': `import Part from "./_part.mdx"\n\n${'<Part />\n\n'.repeat(4)}${LARGE.slice(0, 100_000)}`,
    },
  ],
])('%s: a page gets at most 20 MiB of included text, and the rest is reported', async (name, files) => {
  const { texts, lines } = await convertTexts(name, files)
  const page = [...texts].find(([path]) => /\ba\.md$/.test(path))?.[1] ?? expect.unreachable()
  expect(page.length).toBeGreaterThan(15 * MEBIBYTE)
  expect(page.length).toBeLessThan(21 * MEBIBYTE)
  expect(lines.some((line) => line.includes('is left out.'))).toBe(true)
})
