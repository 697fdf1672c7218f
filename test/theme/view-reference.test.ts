import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { viewReference } from './view-reference.ts'

const source = readFileSync(new URL('../../src/theme/view.ts', import.meta.url), 'utf8')
const page = fileURLToPath(
  new URL('../../templates/docs-site/docs/reference/template-values.md', import.meta.url),
)

// `npm run theme-reference` rewrites it.
test('the documentation of what templates receive is that of the types', async () => {
  await expect(viewReference(source)).toMatchFileSnapshot(page)
})

test('every exported type and every value has its place in it', () => {
  const text = viewReference(source)
  const names = [...source.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name)
  for (const name of names) expect(text).toContain(`### ${name}\n`)
  const values = [...source.matchAll(/^ {2}readonly (\w+)/gm)]
  expect(text.match(/^\| `\w+` \|/gm)).toHaveLength(values.length)
})
