import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporarySite } from './temporary-site.ts'

const SITE = {
  'site.yaml': 'name: Notes\nurl: https://notes.example\n',
  'index.md': '---\ntitle: Home\n---\nHello.\n',
  'write.yaml': `title: Write
sections:
  - type: form
    title: Write to us
    form:
      action_url: https://forms.example/f/42?site=notes
      honeypot: _gotcha
      fields:
        - { name: email, label: Your address, required: true }
        - { name: topic, type: select, options: [Sales, Support] }
  - type: form
    form: { action_url: 'mailto:hello@notes.example', fields: [text] }
`,
}

test('only the page with a form may send one, and only as the address of its author is sent to', async () => {
  const { out, build } = await temporarySite(SITE)
  expect((await build()).warnings).toEqual([])
  const formAction = async (page: string) =>
    /form-action (.*?); base-uri/.exec(await readFile(join(out, page), 'utf8'))?.[1]
  expect(await formAction('index.html')).toBe('&#39;self&#39;')
  expect(await formAction('write/index.html')).toBe('&#39;self&#39; https: mailto:')
  expect(await formAction('404.html')).toBe('&#39;self&#39;')
})

test('a honeypot is in the form and neither in its Markdown nor within reach of people', async () => {
  const { out, build } = await temporarySite(SITE)
  await build()
  const html = await readFile(join(out, 'write/index.html'), 'utf8')
  expect(html).toMatch(
    /<div class="sr-only" aria-hidden="true"><label [^>]*>_gotcha<\/label><input [^>]*name="_gotcha" tabindex="-1" autocomplete="off"><\/div>/,
  )
  const markdown = await readFile(join(out, 'write/index.md'), 'utf8')
  expect(markdown).not.toContain('_gotcha')
  expect(markdown).toContain('Your address')
  expect(markdown).toContain('topic (Sales, Support)')
})

test('a form with more fields or options than people fill in is refused by name', async () => {
  const rows = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`).join(', ')
  const form = (fields: string) =>
    `title: Write\nsections:\n  - type: form\n    form: { action_url: https://forms.example/, fields: ${fields} }\n`
  const { put, run } = await temporarySite({ ...SITE, 'write.yaml': form(`[${rows(51)}]`) })
  const refused = async () => {
    const result = await run()
    return 'errors' in result ? result.errors.map(({ message }) => message) : []
  }
  expect(await refused()).toEqual([expect.stringContaining('must have at most 50 entries')])
  await put('write.yaml', form(`[{ name: a, type: select, options: [${rows(501)}] }]`))
  expect(await refused()).toEqual([expect.stringContaining('must have at most 500 entries')])
  await put('write.yaml', form(`[${rows(50)}]`))
  expect(await refused()).toEqual([])
})
