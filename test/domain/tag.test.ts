import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldedAddress } from '../../src/domain/slug.ts'
import { distinctTags, isTagName, MAX_TAGS, readTags, tagAddress } from '../../src/domain/tag.ts'

test.each([
  ['Node JS', 'node-js'],
  ['node-js', 'node-js'],
  ['Node.js', 'node-js'],
  ['  Über  uns ', 'über-uns'],
  ['C', 'c'],
  ['C++', 'c-plus-plus'],
  ['C#', 'c-sharp'],
  ['東京 2024', '東京-2024'],
  ['हिन्दी', 'हिन्दी'],
  ['a/b', 'a-b'],
  ['../etc', 'etc'],
  ['🎉', ''],
])('the address of the tag %j is %j', (name, address) => {
  expect(tagAddress(name)).toBe(address)
})

test('names that differ by case or normalisation have one address', () => {
  expect(tagAddress('Cafe\u0301')).toBe(tagAddress('CAFÉ'))
})

test('names that differ in punctuation have one address, also where a letter has a form for the end of a word', () => {
  expect(tagAddress('ΣΑΣ.Α')).toBe(tagAddress('ΣΑΣ-Α'))
  expect(tagAddress('ΣΑΣ.Α')).toBe('σας-α')
})

test('a name whose address no file system stores is not the name of a tag', () => {
  // Two letters in its normal form, of three bytes each.
  expect(isTagName('\u0958'.repeat(50))).toBe(false)
  expect(isTagName('\u0958'.repeat(41))).toBe(true)
  expect(isTagName('安'.repeat(50))).toBe(true)
})

test('an address is one safe file name, and its own address', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 50 }), (name) => {
      const address = tagAddress(name)
      expect(foldedAddress(address)).toBe(address)
      expect(address).not.toMatch(/[/\\.%?#\p{Cc}\p{Cs}\s]/u)
      expect(tagAddress(address)).toBe(address)
      if (isTagName(name)) expect(Buffer.byteLength(address)).toBeLessThanOrEqual(250)
    }),
    { numRuns: 2000 },
  )
})

test('tags are a list of names or one of them, and of several spellings the first counts', () => {
  expect(readTags(['Trains', 'trains', 2024, ' a ', null, {}, ''])).toEqual(['Trains', '2024', 'a'])
  expect(readTags('Trains')).toEqual(['Trains'])
  expect(readTags({ a: 1 })).toEqual([])
  expect(readTags(Array.from({ length: 30 }, (_, n) => `t${n}`))).toHaveLength(MAX_TAGS)
  expect(distinctTags(['Node JS', 'node-js', 'B'])).toEqual(['Node JS', 'B'])
})
