import type { JsonObject, JsonValue } from '../domain/json.ts'
import { COLOUR_NAMES } from './colour-names.ts'

const HEX = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i
const AMOUNT = String.raw`[+-]?(?:\d{1,4}(?:\.\d{1,6})?|\.\d{1,6})(?:%|deg|rad|turn)?`
const COLOUR_FUNCTION = new RegExp(
  String.raw`^(?:rgb|hsl)a?\( ?${AMOUNT}(?:(?: ?, ?| | ?/ ?)${AMOUNT}){2,3} ?\)$`,
  'i',
)
/** Family names and generic ones. Quotes come in pairs around a whole name. */
const FONT_NAME = String.raw`(?:[\p{L}\d][\p{L}\d -]{0,60}|"[\p{L}\d -]{1,60}"|'[\p{L}\d -]{1,60}')`
const FONTS = new RegExp(`^${FONT_NAME}(?: ?, ?${FONT_NAME}){0,9}$`, 'u')

/** The style sheet that gives a theme the branding's colour and font; null where it sets neither. */
export function brandStyle(branding: JsonObject): string | null {
  const properties = Object.entries(brandingProperties(branding))
  if (properties.length === 0) return null
  return `:root{${properties.map(([name, value]) => `${name}:${value}`).join(';')}}`
}

/**
 * The CSS custom properties that a project's branding sets. Written raw into a style sheet, so a
 * value that is not plainly a colour or a list of fonts is left out.
 */
export function brandingProperties(branding: JsonObject): Readonly<Record<string, string>> {
  return {
    ...property('--brand', branding['primary_color'], isColour),
    ...property('--brand-font', branding['font'], (text) => FONTS.test(text)),
  }
}

function property(
  name: string,
  value: JsonValue | undefined,
  isAllowed: (text: string) => boolean,
): Record<string, string> {
  const text = typeof value === 'string' ? value.trim() : ''
  return text !== '' && isAllowed(text) ? { [name]: text } : {}
}

function isColour(text: string): boolean {
  return HEX.test(text) || COLOUR_FUNCTION.test(text) || COLOUR_NAMES.has(text.toLowerCase())
}
