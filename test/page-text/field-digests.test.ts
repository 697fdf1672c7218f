import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../../src/domain/canonical-json.ts'
import { digestsOfFields, fieldDigests, pushedDigests } from '../../src/page-text/field-digests.ts'

test('canonical JSON is that of RFC 8785', () => {
  const value = {
    numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: '\u20ac$\u000f\nA\'B"\\\\"/',
    literals: [null, true, false],
  }
  expect(canonicalJson(value)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  )
})

test('the digest of fields does not depend on their order, and leaves out what has no value', () => {
  const digest = (text: string) => createHash('sha256').update(text).digest('hex')
  const { digest: whole, fields } = fieldDigests({
    b: [],
    title: 'A',
    a: null,
    c: {},
    d: '',
    meta: { z: 1, y: 2 },
  })
  expect(whole).toBe(digest('{"meta":{"y":2,"z":1},"title":"A"}'))
  expect(fields).toEqual({ title: digest('"A"').slice(0, 16), meta: digest('{"y":2,"z":1}').slice(0, 16) })
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (values) => {
      const reversed = Object.fromEntries(Object.entries(values).reverse())
      expect(fieldDigests(reversed)).toEqual(fieldDigests(values))
    }),
  )
})

test('a push of some fields leaves the others as the push before had them', () => {
  const before = fieldDigests({ title: 'A', description: 'D' })
  const stored = fieldDigests({ title: 'B', description: 'of a person' })
  expect(pushedDigests(before, stored, digestsOfFields(stored, ['title'])).fields).toEqual(
    fieldDigests({ title: 'B', description: 'D' }).fields,
  )
  expect(pushedDigests(before, stored, digestsOfFields(stored, ['title', 'description']))).toEqual(stored)
  expect(pushedDigests(before, stored, {})).toEqual(before)
})
