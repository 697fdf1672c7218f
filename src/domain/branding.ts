import { COLOUR_NAMES } from './colour-names.ts'
import type { JsonObject } from './json.ts'
import { isLanguageTag } from './language-tag.ts'

const HEX = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i
const AMOUNT = String.raw`[+-]?(?:\d{1,4}(?:\.\d{1,6})?|\.\d{1,6})(?:%|deg|rad|turn)?`
const COLOUR_FUNCTION = new RegExp(
  String.raw`^(?:rgb|hsl)a?\( ?${AMOUNT}(?:(?: ?, ?| | ?/ ?)${AMOUNT}){2,3} ?\)$`,
  'i',
)
/** Family and generic names. Quotes enclose a whole name. */
const FONT_NAME = String.raw`(?:[\p{L}\d][\p{L}\d -]{0,60}|"[\p{L}\d -]{1,60}"|'[\p{L}\d -]{1,60}')`
const FONTS = new RegExp(`^${FONT_NAME}(?: ?, ?${FONT_NAME}){0,9}$`, 'u')

/** Branding values that pages show. Other values are stored without an effect. */
export const BRANDING = [
  { name: 'primary_color', isRight: isColour, rule: 'must be a colour, e.g. #0b6e4f or teal.' },
  { name: 'font', isRight: isFontList, rule: 'must be names of fonts, e.g. Inter, sans-serif.' },
  { name: 'lang', isRight: isLanguageTag, rule: 'must be a language tag, e.g. en or zh-Hans.' },
] as const

/** Invalid values of a branding. Empty text and null are valid and set nothing. */
export function brandingFaults(
  branding: JsonObject,
): readonly { readonly name: string; readonly message: string }[] {
  return BRANDING.flatMap(({ name, isRight, rule }) => {
    const value = branding[name] ?? ''
    if (typeof value === 'string' && (value.trim() === '' || isRight(value.trim()))) return []
    return [{ name, message: rule }]
  })
}

export function isColour(text: string): boolean {
  return HEX.test(text) || COLOUR_FUNCTION.test(text) || COLOUR_NAMES.has(text.toLowerCase())
}

export function isFontList(text: string): boolean {
  return FONTS.test(text)
}
