import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeFormFields } from '../../../src/dashboard/frame/form-fields.ts'

const decoded = (body: string) => decodeFormFields(Buffer.from(body), 1_000)

test('forms are decoded as the URL Standard says', () => {
  const piece = fc.oneof(
    fc.constantFrom('&', '=', '+', '%', '%4', '%zz', '%C3%A9', '%c3', '%00', '%0D%0A', '%26', '%EF%BB%BF'),
    fc.string({ unit: 'grapheme-ascii' }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const body = pieces.join('')
      expect(decoded(body)).toEqual([...new URLSearchParams(`&${body}`)])
    }),
    { numRuns: 500 },
  )
})

test('fields of any text are read as they were typed', () => {
  const text = fc.string({ unit: 'grapheme' })
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { maxLength: 10 }), (fields) => {
      expect(decoded(new URLSearchParams(fields).toString())).toEqual(fields)
    }),
  )
})

test('a form of more fields than allowed has none', () => {
  expect(decodeFormFields(Buffer.from('a=1&&b&c=3'), 3)).toEqual([
    ['a', '1'],
    ['b', ''],
    ['c', '3'],
  ])
  expect(decodeFormFields(Buffer.from('a=1&&b&c=3'), 2)).toBe(null)
})
