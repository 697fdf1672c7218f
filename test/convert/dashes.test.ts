import { expect, test } from 'vitest'
import { drawDashes } from '../../src/convert/body/dashes.ts'
import { convertTexts } from './convert-texts.ts'

test.each([
  ['a -- b --- c', 'a – b — c'],
  ['1--2, `x`---y', '1–2, `x`—y'],
  ['**a** -- *b*', '**a** – *b*'],
])('dashes between words are drawn: %s', (text, drawn) => {
  expect(drawDashes(text)).toBe(drawn)
})

test.each([
  '---',
  '| a | b |\n|---|---|\n| --- | :--: |',
  'a\n---\nb',
  '<!-- a -- b -->',
  '<a title="b -- c">d</a>',
  '[a](b--c.md) [d](/e---f/)',
  '[a](/b--c "T") [d](/e_(f--g))',
  '[a]: https://a.example/b#c--d',
  'https://a.example/b--c',
  'run --all or x --y',
  'a ----- b',
  '## a -- b',
])('other hyphens stay: %s', (text) => {
  expect(drawDashes(text)).toBe(text)
})

test.each([
  [
    'mdbook',
    {
      'book.toml': '[book]\ntitle = "A"\n',
      'src/SUMMARY.md': '- [A](a.md)\n',
      'src/a.md': '# A\n\nx -- `y -- z`\n',
    },
  ],
  ['hugo', { 'hugo.toml': 'title = "A"\n', 'content/a.md': 'x -- `y -- z`\n' }],
  ['jekyll', { '_config.yml': 'title: A\n', 'a.md': '---\ntitle: A\n---\nx -- `y -- z`\n' }],
  [
    'mkdocs',
    { 'mkdocs.yml': 'site_name: A\nmarkdown_extensions: [smarty]\n', 'docs/a.md': '# A\n\nx -- `y -- z`\n' },
  ],
] as const)('a site of %s keeps the dashes that it shows, and its code', async (name, files) => {
  const { texts } = await convertTexts(name, files)
  expect(texts.get('a.md')).toContain('x – `y -- z`\n')
})

test.each([
  [
    'mdbook',
    {
      'book.toml': '[output.html]\nsmart-punctuation = false\n',
      'src/SUMMARY.md': '- [A](a.md)\n',
      'src/a.md': '# A\n\nx -- y\n',
    },
  ],
  [
    'hugo',
    { 'hugo.toml': '[markup.goldmark.extensions.typographer]\ndisable = true\n', 'content/a.md': 'x -- y\n' },
  ],
  ['vitepress', { 'a.md': 'x -- y\n' }],
] as const)('a site of %s that shows hyphens keeps them', async (name, files) => {
  const { texts } = await convertTexts(name, files)
  expect(texts.get('a.md')).toContain('x -- y\n')
})
