import { expect, test } from 'vitest'
import { readToml, readYaml } from '../../src/convert/config/source-config.ts'

/** 9^9 values in 10 lines. */
const BOMB = [...'abcdefghi']
  .map((name, index, names) => {
    const item = index === 0 ? 'x' : `*${names[index - 1]}`
    return `${name}: &${name} [${Array(9).fill(item).join(',')}]\n`
  })
  .join('')
const DEEP = '['.repeat(20_000)

test('a configuration made to exhaust memory or stack is refused with a reason', () => {
  expect(readYaml(BOMB)).toBe('Its aliases stand for too many values, or for none.')
  expect(readYaml('a: *none\n')).toBe('Its aliases stand for too many values, or for none.')
  for (const text of [`x: ${DEEP}`, `{"x": ${DEEP}`, `x: ${DEEP}${']'.repeat(20_000)}`])
    expect(readYaml(text)).toBe('It is nested too deeply.')
  expect(readToml(`x = ${DEEP}`)).toContain('nested')
})

test('a few aliases are read', () => {
  expect(readYaml('a: &a { x: 1 }\nb: *a\n')).toEqual({ a: { x: 1 }, b: { x: 1 } })
})
