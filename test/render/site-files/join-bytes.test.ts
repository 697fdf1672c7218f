import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinBytes } from '../../../src/render/site-files/join-bytes.ts'

const text = fc.string({ unit: 'grapheme' })

test('lines of an index are the bytes of one text, whatever stands in them and between them', () => {
  fc.assert(
    fc.property(text, fc.array(text), text, text, (start, lines, between, end) => {
      const whole = Buffer.from(start + lines.join(between) + end)
      expect(joinBytes({ start, lines, separator: between, end })).toEqual(whole)
    }),
  )
  expect(joinBytes({ lines: [] })).toEqual(Buffer.from(''))
  expect(joinBytes({ lines: ['a', '', 'b'] })).toEqual(Buffer.from('ab'))
})
