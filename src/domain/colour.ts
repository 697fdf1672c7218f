import { COLOUR_NAMES } from './colour-names.ts'

/** Red, green and blue, each from 0 to 255. */
export type Rgb = readonly [number, number, number]

const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:%|deg|rad|turn)?/g

/** Parses the colour of a branding value or of a theme's token, without its opacity; null for an unsupported form. */
export function parseColour(text: string): Rgb | null {
  const value = text.trim().toLowerCase()
  const hex = /^#([\da-f]{3,8})$/.exec(value)?.[1] ?? COLOUR_NAMES.get(value)
  if (hex !== undefined) return ofHex(hex)
  const amounts = value.match(NUMBER) ?? []
  if (amounts.length < 3) return null
  if (/^rgba?\(/.test(value)) return rgb(amounts.slice(0, 3).map((one) => amountOf(one, 255)))
  return /^hsla?\(/.test(value) ? ofHsl(amounts) : null
}

/** `#rrggbb`. */
export function hexOf(colour: Rgb): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

/** Black or white, whichever contrasts more with the colour. */
export function readableOn(colour: Rgb): Rgb {
  return luminance(colour) > EVEN ? BLACK : WHITE
}

/**
 * Reports whether a drawing in the colour is hard to see on the dark pages of the themes: their contrast is below 3:1.
 */
export function isDark(colour: Rgb): boolean {
  return luminance(colour) < DARK
}

/** A colour between two others. @param share of the second one, from 0 to 1. */
export function mixed(one: Rgb, other: Rgb, share: number): Rgb {
  return rgb(one.map((part, index) => part + ((other[index] ?? 0) - part) * share))
}

const BLACK: Rgb = [0, 0, 0]
const WHITE: Rgb = [255, 255, 255]
/** The luminance at which black and white contrast equally. */
const EVEN = 0.179
/** The luminance that has a contrast of 3:1 with a page of luminance 0.005. Source of the ratio: WCAG 2.2, 1.4.11. */
const DARK = 0.115

/** Source: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function ofHex(digits: string): Rgb | null {
  if (digits.length === 5 || digits.length === 7) return null
  const parts = digits.length < 6 ? [...digits].map((digit) => digit + digit) : (digits.match(/../g) ?? [])
  return rgb(parts.slice(0, 3).map((part) => Number.parseInt(part, 16)))
}

function ofHsl([hue = '', saturation = '', lightness = '']: readonly string[]): Rgb {
  const turns = { rad: 1 / (2 * Math.PI), turn: 1 }[/(?:rad|turn)$/.exec(hue)?.[0] ?? ''] ?? 1 / 360
  const degrees = (((Number.parseFloat(hue) * turns) % 1) + 1) * 360
  const [s, l] = [saturation, lightness].map((one) => clamped(Number.parseFloat(one) / 100, 1)) as [
    number,
    number,
  ]
  const channel = (n: number) => {
    const k = (n + degrees / 30) % 12
    return 255 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
  }
  return rgb([channel(0), channel(8), channel(4)])
}

/** A percentage of the largest amount, or an amount. */
function amountOf(text: string, largest: number): number {
  const value = Number.parseFloat(text)
  return text.endsWith('%') ? (value / 100) * largest : value
}

function rgb(parts: readonly number[]): Rgb {
  const [red = 0, green = 0, blue = 0] = parts.map((part) => Math.round(clamped(part, 255)))
  return [red, green, blue]
}

function clamped(value: number, largest: number): number {
  return Math.min(Math.max(value, 0), largest)
}
