import { expect, test } from 'vitest'
import { convertTexts } from './convert-texts.ts'

async function converted(code: string): Promise<string> {
  const { texts } = await convertTexts('docusaurus', {
    'docusaurus.config.js': "module.exports = { title: 'A', url: 'https://a.example', baseUrl: '/' }\n",
    'docs/a.md': `# A\n\n${code}\n`,
  })
  return texts.get('docs/a.md') ?? ''
}

test('lines that comments of Docusaurus mark are marked, and the comments go', async () => {
  const text = await converted(
    '```js title="x.js"\n// highlight-next-line\nlet a\nlet b\n// highlight-start\nlet c\nlet d\n// highlight-end\nlet e\n```\n\n```py\n# highlight-next-line\nx = 1\n```\n\n```jsx\n{/* highlight-next-line */}\n<A />\n```',
  )
  expect(text).toContain('```js title="x.js" {1,3-4}\nlet a\nlet b\nlet c\nlet d\nlet e\n```')
  expect(text).toContain('```py {1}\nx = 1\n```')
  expect(text).toContain('```jsx {1}\n<A />\n```')
})

test('comments are code where the fence names its lines, and other code is as it was', async () => {
  const named = '```js {2}\n// highlight-next-line\nlet a\n```'
  expect(await converted(named)).toContain(named)
  const plain = '```sh\ngrep highlight-start file\n```'
  expect(await converted(plain)).toContain(plain)
})
