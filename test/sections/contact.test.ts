import fc from 'fast-check'
import { expect, test } from 'vitest'
import { safeUrl } from '../../src/domain/author-url.ts'
import { emailUrl, linesOf, phoneUrl } from '../../src/sections/contact.ts'

test.each([
  ['+49 (30) 12-34', 'tel:+49301234'],
  ['030/1234', 'tel:0301234'],
  ['*100#', 'tel:*100#'],
  ['javascript:alert(1)', 'tel:1'],
  ['call us', 'tel:'],
])('a visitor who taps the number %j dials %s', (written, url) => {
  expect(phoneUrl(written)).toBe(url)
})

test('a number can dial and nothing else, whatever is written', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (written) => {
      expect(phoneUrl(written)).toMatch(/^tel:[\d+*#]*$/)
      expect(phoneUrl(phoneUrl(written))).toBe(phoneUrl(written))
    }),
  )
})

test('an address of mail is used as written, and never as another scheme', () => {
  expect(emailUrl(' ada@example.com\n')).toBe('mailto:ada@example.com')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (written) => {
      const url = safeUrl(emailUrl(written), 'link')
      if (url !== null) expect(url).toMatch(/^mailto:/)
    }),
  )
})

test('an address has a line for each written line, whichever line breaks its author uses', () => {
  const line = fc.string({ minLength: 1 }).filter((text) => text.trim() !== '' && !/[\r\n]/.test(text))
  fc.assert(
    fc.property(fc.array(line), fc.constantFrom('\n', '\r\n', '\r', '\n\n', '\n \n'), (lines, end) => {
      expect(linesOf(lines.join(end))).toEqual(lines)
    }),
  )
  expect(linesOf(' \n\n')).toEqual([])
})
