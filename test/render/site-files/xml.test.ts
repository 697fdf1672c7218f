import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { xmlText } from '../../../src/render/site-files/xml.ts'

/** Reads a text as an XML parser does: references stand for their characters. */
function parsed(xml: string): string {
  return xml.replace(/&(?:#(\d+)|amp|lt|gt|quot|apos);/g, (reference, code: string | undefined) => {
    if (code !== undefined) return String.fromCodePoint(Number(code))
    return { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" }[reference] ?? reference
  })
}

describe('text in an XML file', () => {
  test('reads back as the author wrote it, line breaks and tabs included', () => {
    const text = fc.string({ unit: 'grapheme' }).map((written) => written.replace(/[^\P{C}\t\n\r]/gu, ''))
    const marked = fc.array(fc.constantFrom('&', '&amp;', '<b>', ']]>', '"', "'", '\r\n', '\t', '字', '🙂'))
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          marked.map((parts) => parts.join('')),
        ),
        (written) => {
          expect(parsed(xmlText(written))).toBe(written)
        },
      ),
    )
  })

  test.each([
    ['a NUL', '\0'],
    ['an escape character', '\u001b'],
    ['a half of a surrogate pair', '\ud83d'],
    ['the noncharacter U+FFFF', '\uffff'],
    ['a control character of Latin-1', '\u0085'],
  ])('has a replacement character in place of %s, which would make the file unreadable', (_, character) => {
    expect(xmlText(`a${character}b`)).toBe('a\ufffdb')
  })

  test('keeps emoji and other characters outside the basic plane', () => {
    expect(xmlText('🏳️‍🌈 𝒳')).toBe('🏳️‍🌈 𝒳')
  })
})
