import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinedBytes } from '../../../src/render/site-files/joined-bytes.ts'

const text = fc.string({ unit: 'grapheme' })

test('lines of an index are the bytes of one text, whatever stands in them and between them', () => {
  fc.assert(
    fc.property(text, fc.array(text), text, text, (start, lines, between, end) => {
      const whole = Buffer.from(start + lines.join(between) + end)
      expect(joinedBytes({ start, lines, between, end })).toEqual(whole)
    }),
  )
  expect(joinedBytes({ lines: [] })).toEqual(Buffer.from(''))
  expect(joinedBytes({ lines: ['a', '', 'b'] })).toEqual(Buffer.from('ab'))
})
