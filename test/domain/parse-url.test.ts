import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseUrl } from '../../src/domain/parse-url.ts'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'

test('a URL with letters outside ASCII is parsed however often it is asked for', () => {
  for (let call = 0; call < 100_000; call++)
    if (parseUrl('https://müller.example/é') === null) expect.unreachable(`Call ${call} refused the URL.`)
})

test('text that is no URL is null, and a relative URL needs a base', () => {
  for (const text of ['', 'https://', 'https://a b', '/path']) expect(parseUrl(text)).toBeNull()
  expect(parseUrl('/path', 'https://site.example')?.href).toBe('https://site.example/path')
})

test('no source asks URL.canParse, which is wrong on Node 20 once it is optimised', () => {
  const files = readdirSync(join(PACKAGE_ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  const callers = files
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => readFileSync(join(PACKAGE_ROOT, 'src', file), 'utf8').includes('URL.canParse('))
  expect(callers).toEqual([])
})
