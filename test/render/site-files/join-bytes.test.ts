import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinBytes } from '../../../src/render/site-files/join-bytes.ts'

const text = fc.string({ unit: 'grapheme' })

test('joined lines have the bytes of the joined text, whatever the lines and the separator', () => {
  fc.assert(
    fc.property(text, fc.array(text), text, text, (start, lines, between, end) => {
      const whole = Buffer.from(start + lines.join(between) + end)
      expect(joinBytes({ start, lines, separator: between, end })).toEqual(whole)
    }),
  )
  expect(joinBytes({ lines: [] })).toEqual(Buffer.from(''))
  expect(joinBytes({ lines: ['a', '', 'b'] })).toEqual(Buffer.from('ab'))
  const many = Array.from({ length: 1_501 }, (_, n) => `line ${n} é`)
  expect(joinBytes({ lines: many, separator: ',\n' }).toString()).toBe(many.join(',\n'))
})
