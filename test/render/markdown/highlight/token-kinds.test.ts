import { expect, test } from 'vitest'
import { KIND_THEME, kindOf } from '../../../../src/render/markdown/highlight/token-kinds.ts'

const settings = KIND_THEME.settings ?? []

function coloursOf(scope: string): readonly (string | undefined)[] {
  return settings.flatMap(({ scope: scopes, settings: { foreground } }) =>
    Array.isArray(scopes) && scopes.includes(scope) ? [foreground] : [],
  )
}

test.each([
  ['comment', 'c'],
  ['string', 's'],
  ['constant', 'n'],
  ['keyword', 'k'],
  ['keyword.operator.new', 'k'],
  ['entity.name.function', 'f'],
  ['entity.name.type', 't'],
  ['entity.other.attribute-name', 'a'],
  ['markup.inserted', 'i'],
  ['markup.deleted', 'd'],
  ['punctuation', null],
  ['keyword.operator', null],
])('the scope %s has the kind %s', (scope, kind) => {
  expect(coloursOf(scope).map(kindOf)).toEqual([kind])
})

test('no scope has two kinds, since the later one would win silently', () => {
  const scopes = settings.flatMap(({ scope }) => (Array.isArray(scope) ? scope : []))
  expect(new Set(scopes).size).toBe(scopes.length)
})

test('a colour is recognised in either case, and any other is ordinary text', () => {
  const [keyword] = coloursOf('keyword')
  expect(kindOf(keyword?.toLowerCase())).toBe('k')
  for (const other of [undefined, '', '#FFFFFF', '#000000', 'red']) expect(kindOf(other)).toBeNull()
})
