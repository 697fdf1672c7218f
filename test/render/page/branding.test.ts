import { expect, test } from 'vitest'
import { brandingProperties } from '../../../src/render/page/branding.ts'

test.each([
  ...[
    '#0a7',
    '#0A7F',
    '#00aa77',
    '#00aa77cc',
    'rebeccapurple',
    'Tomato',
    'rgb(0, 170, 119)',
    'rgb(0 170 119 / 50%)',
  ],
  ...['rgba(0,170,119,.5)', 'hsl(160, 100%, 33%)', 'hsl(160deg 100% 33%)'],
])('%s is accepted as a colour', (colour) => {
  expect(brandingProperties({ primary_color: ` ${colour} ` })).toEqual({ '--brand': colour })
})

test.each([
  ...[
    '#0',
    '#xyz',
    '#12345',
    'reddish',
    'inherit',
    'rgb(0,0)',
    'rgb(0,0,0,0,0)',
    'url(//evil.example)',
    'var(--x)',
  ],
  ...[
    'red;}body{display:none',
    'red}</style><script>alert(1)</script>',
    'rgb(0,0,expression(1))',
    'hsl(0\n0%\n0%)',
    '',
  ],
])('%j is refused as a colour', (colour) => {
  expect(brandingProperties({ primary_color: colour })).toEqual({})
})

test.each([
  'Inter',
  'Inter, sans-serif',
  '"Source Sans 3", Georgia, serif',
  "'IBM Plex Mono'",
  'Noto Sans 日本語',
])('%s is accepted as a font list', (font) => {
  expect(brandingProperties({ font })).toEqual({ '--brand-font': font })
})

test.each(['"Inter', "Inter', serif", 'Inter;', 'url(x)', 'Inter}</style>', 'a\\22 b', '-', ', serif', ''])(
  '%j is refused as a font list',
  (font) => {
    expect(brandingProperties({ font })).toEqual({})
  },
)

test('values that are not strings set nothing', () => {
  expect(brandingProperties({ primary_color: 5, font: ['Inter'], other: '#000' })).toEqual({})
})
