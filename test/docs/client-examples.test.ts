import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { METHODS } from '../../src/client/api-methods.ts'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { startService, type TestService } from '../support/service.ts'

const text = readFileSync(join(PACKAGE_ROOT, 'templates/docs-site/docs/reference/client.md'), 'utf8')

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

test('the examples of the client run one after the other against a service', async () => {
  const examples = [...text.matchAll(/^```js\n(.*?)^```/gms)].map(([, code = '']) => code)
  expect(examples.length).toBeGreaterThan(5)
  // Inside the package, so that it can import itself by its name.
  const file = join(PACKAGE_ROOT, `.cache/client-examples-${process.pid}.mjs`)
  mkdirSync(join(PACKAGE_ROOT, '.cache'), { recursive: true })
  writeFileSync(file, examples.join('\n'))
  onTestFinished(() => rmSync(file))
  const { stdout } = await promisify(execFile)(process.execPath, [file], {
    env: { ...process.env, QUOIN: service.url, KEY: service.key },
  })
  const lines = stdout.trim().split('\n')
  expect(lines[0]).toMatch(/^Published at http.*\/notes\/first$/)
  expect(lines.filter((line) => !/^\d of 1$/.test(line)).slice(1)).toEqual([
    'published /notes/first',
    'succeeded []',
    '1 1',
    'title must have 1 to 200 characters.',
    'meta.title must have at most 60 characters.',
  ])
})

test('the documentation names every method of the client', () => {
  const rows = new Map(
    [...text.matchAll(/^\| `(\w+)` \| (`\w+`(?:, `\w+`)*) \|$/gm)].map(([, group = '', names = '']) => [
      group,
      names.replaceAll('`', '').split(', '),
    ]),
  )
  const extra: Readonly<Record<string, readonly string[]>> = {
    pages: ['markdown'],
    jobs: ['wait'],
    assets: ['upload', 'replace'],
  }
  for (const [group, methods] of Object.entries(METHODS))
    expect(rows.get(group)?.toSorted()).toEqual([...Object.keys(methods), ...(extra[group] ?? [])].toSorted())
  expect(rows.size).toBe(Object.keys(METHODS).length)
})
