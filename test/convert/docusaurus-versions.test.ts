import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { convertTexts } from './convert-texts.ts'

const SITE = {
  'versions.json': '["2.0", "1.0"]',
  'docs/a.md': '# A of next\n',
  'versioned_docs/version-2.0/a.md': '# A of 2\n',
  'versioned_docs/version-1.0/a.md': '# A of 1\n',
  'versioned_sidebars/version-2.0-sidebars.json': '{ "docs": ["a"] }',
}

test.each([
  ['', { 'docs/a.md': 'A of 2', 'docs/next/a.md': 'A of next', 'docs/1.0/a.md': 'A of 1' }, 'docs'],
  [
    "lastVersion: 'current', versions: { current: { label: '3.0', path: '3' } }",
    { 'docs/3/a.md': 'A of next', 'docs/2.0/a.md': 'A of 2', 'docs/1.0/a.md': 'A of 1' },
    'docs/3',
  ],
  ["includeCurrentVersion: false, onlyIncludeVersions: ['2.0']", { 'docs/a.md': 'A of 2' }, undefined],
])('versions of Docusaurus are at their addresses, with %j', async (options, expected, latest) => {
  const { texts, lines } = await convertTexts('docusaurus', {
    ...SITE,
    'docusaurus.config.js': `module.exports = { title: 'D', presets: [['classic', { docs: { ${options} } }]] }\n`,
  })
  const pages = [...texts].filter(([path]) => path.endsWith('.md'))
  expect(pages.map(([path]) => path).toSorted()).toEqual(Object.keys(expected).toSorted())
  for (const [path, title] of Object.entries(expected)) expect(texts.get(path)).toContain(`title: ${title}\n`)
  const { versions = [] } = parse(texts.get('site.yaml') ?? '') as {
    versions?: { latest?: true; subroute: string }[]
  }
  expect(versions).toHaveLength(latest === undefined ? 0 : 3)
  expect(versions.find((version) => version.latest)?.subroute).toBe(latest)
  if (latest === undefined)
    expect(lines.join()).toContain('1 file of a version that the site does not show is left out.')
})
