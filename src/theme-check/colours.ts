import { transform } from 'lightningcss'

/** Red, green and blue from 0 to 255, and opacity from 0 to 1. */
export type Colour = readonly [number, number, number, number]

/** A browser that supports only basic colour syntax: Lightning CSS computes all other colours for it. */
const PLAIN = { chrome: 60 << 16 }

/** Computes the colour of a CSS value, mixed and relative colours included; null if it is not a colour. */
export function readColour(value: string): Colour | null {
  const css = plain(`a{color:${value}}`)
  const [, hex, list] =
    /^a\{color:(?:#((?:[\da-f]{3,4}){1,2})|rgba?\(([\d.]+(?:,[\d.]+){2,3})\))[;}]/.exec(css) ?? []
  if (hex !== undefined) return ofHex(hex)
  if (list !== undefined) return ofNumbers(list.split(',').map(Number))
  const named = /^a\{color:([a-z]+)\}$/.exec(css)?.[1]
  return named === undefined ? null : ofName(named)
}

function plain(css: string): string {
  try {
    return transform({
      filename: 'colour.css',
      code: Buffer.from(css),
      minify: true,
      targets: PLAIN,
    }).code.toString()
  } catch (error) {
    if (error instanceof SyntaxError) return ''
    throw error
  }
}

/** Lightning CSS prints some colours as names. As a relative colour with opacity, it prints numbers. */
function ofName(name: string): Colour | null {
  if (name === 'transparent') return [0, 0, 0, 0]
  const list = /rgba\(([\d.,]+)\)/.exec(plain(`a{color:rgb(from ${name} r g b / 0.5)}`))?.[1]
  const hex = /#([\da-f]{4,8})/.exec(plain(`a{color:rgb(from ${name} r g b / 0.5)}`))?.[1]
  const half =
    list !== undefined ? ofNumbers(list.split(',').map(Number)) : hex === undefined ? null : ofHex(hex)
  return half === null ? null : [half[0], half[1], half[2], 1]
}

function ofHex(hex: string): Colour | null {
  const long = hex.length < 6 ? hex.replace(/./g, '$&$&') : hex
  const [red = 0, green = 0, blue = 0, alpha = 255] = (long.match(/../g) ?? []).map((pair) =>
    parseInt(pair, 16),
  )
  return [red, green, blue, alpha / 255]
}

function ofNumbers([red = 0, green = 0, blue = 0, alpha = 1]: readonly number[]): Colour {
  return [red, green, blue, alpha]
}

/** The contrast ratio of a foreground on a background, from 1 to 21. Source: WCAG 2.2, contrast ratio. */
export function contrastOf(front: Colour, back: Colour): number {
  const over = (top: Colour, under: Colour): Colour => {
    const mixed = [0, 1, 2].map((at) => (top[at] ?? 0) * top[3] + (under[at] ?? 0) * (1 - top[3]))
    return [mixed[0] ?? 0, mixed[1] ?? 0, mixed[2] ?? 0, 1]
  }
  const ground = over(back, [255, 255, 255, 1])
  const [light = 0, dark = 0] = [luminance(over(front, ground)), luminance(ground)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.slice(0, 3).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
