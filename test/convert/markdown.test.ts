import { expect, test } from 'vitest'
import { convertTexts } from './convert-texts.ts'

test('a folder of Markdown without a generator is detected, and named after the folder', async () => {
  const { texts, lines } = await convertTexts(null, { 'guide/start.md': '# Start here\n\nText\n' })
  expect(texts.get('site.yaml')).toBe('name: X\n')
  expect(texts.get('guide/start.md')).toBe('---\ntitle: Start here\n---\nText\n')
  expect(lines).toEqual([])
})

test('index.md and README.md are the page of their folder', async () => {
  const { texts } = await convertTexts('markdown', {
    'README.md': '# Home\n\nText\n',
    'guide/README.md': '# Guide\n',
    'guide/start.md': '# Start\n',
  })
  expect([...texts.keys()].sort()).toEqual(['guide/index.md', 'guide/start.md', 'index.md', 'site.yaml'])
  expect(texts.get('index.md')).toBe('---\ntype: page\ntitle: Home\n---\nText\n')
})

test('links between files become paths of the site, with their fragments', async () => {
  const { texts } = await convertTexts('markdown', {
    'a.md': '[b](guide/b.md#top), [c](./guide/../c.md), <img src="img/x.png" alt="">\n',
    'guide/b.md': 'B\n',
    'c.md': 'C\n',
    'img/x.png': 'x',
  })
  expect(texts.get('a.md')).toContain('[b](/guide/b#top), [c](/c), <img src="/img/x.png" alt="">')
})

test('names of other scripts stay, those with spaces and capitals become valid paths, and links follow', async () => {
  const { texts } = await convertTexts('markdown', {
    'My Guide.md': '[日本](日本.md)\n',
    '日本.md': '[guide](My%20Guide.md)\n',
  })
  expect(texts.get('my-guide.md')).toContain('[日本](/日本)')
  expect(texts.get('日本.md')).toContain('[guide](/my-guide)')
})

test('other files are reported, and hidden ones are ignored', async () => {
  const { texts, lines } = await convertTexts('markdown', {
    'a.md': 'A\n',
    'data.bin': 'x',
    '.github/b.md': 'B\n',
  })
  expect([...texts.keys()].sort()).toEqual(['a.md', 'site.yaml'])
  expect(lines).toEqual([
    'data.bin: warning QN-NOT-CONVERTED The file is neither Markdown nor a file that pages show or link to. It is left out.',
  ])
})

test('ids of headings stay', async () => {
  const { texts } = await convertTexts('markdown', { 'a.md': '# A\n\n## Setup {#set-up .wide}\n' })
  expect(texts.get('a.md')).toContain('## Setup {#set-up}\n')
})
