import { isColour, isFontList } from '../../domain/branding.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'

/** Style sheet with the branding's colour and font; null when it sets neither. */
export function brandStyle(branding: JsonObject): string | null {
  const properties = Object.entries(brandingProperties(branding))
  if (properties.length === 0) return null
  return `:root{${properties.map(([name, value]) => `${name}:${value}`).join(';')}}`
}

/**
 * CSS custom properties that a project's branding sets. They are printed unescaped, so values that are not
 * plainly a colour or a font list are left out.
 */
export function brandingProperties(branding: JsonObject): Readonly<Record<string, string>> {
  return {
    ...property('--brand', branding['primary_color'], isColour),
    ...property('--brand-font', branding['font'], isFontList),
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
