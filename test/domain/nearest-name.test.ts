import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { didYouMean } from '../../src/domain/nearest-name.ts'

describe('the name that was probably meant', () => {
  const names = ['title', 'description', 'slug', 'nav_order']

  test.each([
    ['titel', ' Is it title?'],
    ['tittle', ' Is it title?'],
    ['desciption', ' Is it description?'],
    ['nav-order', ' Is it nav_order?'],
    ['slug', ' Is it slug?'],
    ['desc', ' Is it description?'],
    ['author', ''],
    ['x', ''],
    ['', ''],
  ])('for %j the question is %j', (written, question) => {
    expect(didYouMean(written, names)).toBe(question)
  })

  test('the nearest of several is asked for', () => {
    expect(didYouMean('cards', ['carts', 'card'])).toMatch(/Is it (carts|card)\?/)
    expect(didYouMean('layouts', ['layers', 'layout'])).toBe(' Is it layout?')
  })

  test('one dropped, added or changed letter of a long enough name is recognised', () => {
    const name = fc.stringMatching(/^[a-z]{4,12}$/)
    fc.assert(
      fc.property(name, fc.nat({ max: 11 }), fc.constantFrom('drop', 'add', 'change'), (word, at, slip) => {
        const place = at % word.length
        const rest = word.slice(place + (slip === 'add' ? 0 : 1))
        const written = word.slice(0, place) + (slip === 'drop' ? '' : '_') + rest
        expect(didYouMean(written, [word])).toBe(` Is it ${word}?`)
      }),
    )
  })
})
