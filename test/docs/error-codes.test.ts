import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FIELD_ERROR_CODES } from '../../src/domain/invalid-field.ts'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'

test('the documentation of errors has every code of a field with its meaning', () => {
  const text = readFileSync(join(PACKAGE_ROOT, 'templates/docs-site/docs/reference/errors.md'), 'utf8')
  const [, section = ''] = text.split('## Each field by itself')
  const rows = [...section.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, code, meaning]) => [code, meaning])
  const codes = Object.entries(FIELD_ERROR_CODES).map(([code, meaning]) => [
    code,
    meaning.charAt(0).toLowerCase() + meaning.slice(1, -1),
  ])
  expect(rows).toEqual(codes)
})
