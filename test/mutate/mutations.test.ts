import { expect, test } from 'vitest'
import { mutationsOf } from './mutations.mjs'

/** The sources after each mutation. */
function mutated(source: string): readonly string[] {
  return mutationsOf(source).map(
    ({ start, end, replacement }) => source.slice(0, start) + replacement + source.slice(end),
  )
}

test.each([
  ['const isFull = size >= limit', ['const isFull = size > limit']],
  ['const name = given ?? fallback', ['const name = given']],
  [
    'const allowed = isOwner && !isGone',
    ['const allowed = isOwner || !isGone', 'const allowed = isOwner && isGone'],
  ],
  ['const first = isNew ? left : right', ['const first = isNew ? right : left']],
  ['release(id)', [';']],
  ['const sum = add(one, two)', ['const sum = add(two, one)']],
  ['const limit = 5', ['const limit = 6']],
  ["const text = 'why'", ["const text = ''"]],
  [
    'const word = /^a{1,3}$/i',
    expect.arrayContaining([
      'const word = /a{1,3}$/i',
      'const word = /^a{1,4}$/i',
      'const word = /^a{1,3}$/',
    ]),
  ],
])('the mutations of `%s` are the changes a careless edit makes', (source, expected) => {
  expect(mutated(source)).toEqual(expected)
})

test('types and imports are not changed, since they do nothing at run time', () => {
  expect(
    mutated("import { page } from './page.ts'\ntype Kind = 'page' | 'docs'\ninterface Named { name: 'a' }"),
  ).toEqual([])
})
