import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textBytes } from '../../../src/render/page/text-bytes.ts'

test('every text is encoded as UTF-8', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), (text) => {
      expect(textBytes(text).equals(new TextEncoder().encode(text))).toBe(true)
    }),
  )
})
