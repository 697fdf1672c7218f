import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isDarkDrawing } from '../../src/images/svg/dark-drawing.ts'

const svg = (inner: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"${attributes}>${inner}</svg>`

describe('a drawing that cannot be seen on a dark page', () => {
  test.each([
    ['no colour, which is black', svg('<path d="M0 0h9"/>')],
    ['a dark fill', svg('<path d="M0 0h9" fill="#111827"/>')],
    ['a dark stroke and no fill', svg('<path fill="none" stroke="navy"/>')],
    ['the colour of the text, which is black in a picture', svg('<path fill="currentColor"/>')],
    ['a dark style', svg('<path style="fill:#231F20;opacity:1"/>')],
    ['a style sheet of a drawing program', svg('<style>.st0{fill:#231F20;}</style><path class="st0"/>')],
    [
      'a dark gradient',
      svg(
        '<linearGradient id="a"><stop stop-color="#000"/><stop stop-color="#222"/></linearGradient><path fill="url(#a)"/>',
      ),
    ],
  ])('is one that has %s', (_, source) => {
    expect(isDarkDrawing(source)).toBe(true)
  })

  test.each([
    ['a light part', svg('<rect fill="#fff"/><path fill="#111"/>')],
    ['a brand colour', svg('<path fill="#e11d48"/>')],
    [
      'a style for dark mode',
      svg('<style>@media (prefers-color-scheme:dark){path{fill:#fff}}</style><path/>'),
    ],
    ['a light style', svg('<path style="fill: #fafafa"/>')],
    ['a picture', svg('<image href="data:image/png;base64,AA"/>')],
    ['a colour that is not read', svg('<path fill="oklch(0.2 0 0)"/>')],
    ['no end', svg('<path/>').slice(0, -9)],
  ])('does not have %s', (_, source) => {
    expect(isDarkDrawing(source)).toBe(false)
  })

  test('is decided for any text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (fill, style) => {
        const escaped = fill.replace(/[&<"]/g, '')
        expect(typeof isDarkDrawing(svg(`<path fill="${escaped}"/><style>${style}</style>`))).toBe('boolean')
      }),
    )
  })
})
