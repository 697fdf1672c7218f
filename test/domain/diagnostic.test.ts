import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { byPosition, type Diagnostic, diagnostic } from '../../src/domain/diagnostic.ts'
import { DIAGNOSTIC_CODES, isDiagnosticCode } from '../../src/domain/diagnostic-codes.ts'

test('a diagnostic has the severity of its code', () => {
  expect(diagnostic('QN-DEADLINK', 'index.md', 'The link "/a" is dead.', { line: 3 })).toEqual({
    severity: 'warning',
    code: 'QN-DEADLINK',
    file: 'index.md',
    line: 3,
    column: null,
    field: null,
    message: 'The link "/a" is dead.',
  })
  expect(diagnostic('QN-BAD-YAML', 'site.yaml', 'The YAML is nested too deeply.').severity).toBe('error')
})

test('diagnostics are sorted by file, line and column, those of a whole file first', () => {
  const at = (file: string, line: number | null, column: number | null): Diagnostic =>
    diagnostic('QN-BAD-VALUE', file, 'It is wrong.', { line, column })
  const sorted = [at('a', null, null), at('a', 2, 1), at('a', 2, 5), at('a', 10, 1), at('b', 1, 1)]
  expect(sorted.toReversed().toSorted(byPosition)).toEqual(sorted)
})

test('every code has one form, and a meaning and a fix of whole sentences', () => {
  for (const [code, { meaning, fix }] of Object.entries(DIAGNOSTIC_CODES)) {
    expect(code).toMatch(/^QN(-[A-Z0-9]+)+$/)
    expect(meaning, code).toMatch(/^[A-Z`].*\.$/)
    expect(fix, code).toMatch(/^[A-Z`].*\.$/)
  }
})

test('only codes of the table are codes', () => {
  expect(isDiagnosticCode('QN-DEADLINK')).toBe(true)
  expect(isDiagnosticCode('QN-NOTHING')).toBe(false)
  expect(isDiagnosticCode('toString')).toBe(false)
})

test('the documentation lists every code with its severity, meaning and fix', () => {
  const page = new URL('../../templates/docs-site/docs/reference/diagnostics.md', import.meta.url)
  const rows = readFileSync(page, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `QN-'))
  const expected = Object.entries(DIAGNOSTIC_CODES).map(
    ([code, { severity, meaning, fix }]) => `| \`${code}\` | ${severity} | ${meaning} | ${fix} |`,
  )
  expect(rows).toEqual(expected)
})
