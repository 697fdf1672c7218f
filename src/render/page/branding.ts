import { isColour, isFontList } from '../../domain/branding.ts'
import { parseColour, type Rgb } from '../../domain/colour.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { ThemeColour, ThemeColours } from '../../theme/theme.ts'
import type { HeadView } from '../../theme/view.ts'

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

/** The colours of a site: those of its theme, with the brand colour of its own. */
export function brandColours(
  branding: JsonObject,
  { brand, background }: ThemeColours,
): Readonly<Record<'light' | 'dark', { readonly brand: string; readonly background: string }>> {
  const own = brandingProperties(branding)['--brand']
  const of = (mode: keyof ThemeColour) => ({ brand: own ?? brand[mode], background: background[mode] })
  return { light: of('light'), dark: of('dark') }
}

/** Replacement for a colour that only browsers can read. */
const UNREAD_BRAND: Rgb = [51, 65, 92]

/** The brand colour of a site for use by itself, such as in its icons: in the mode that its theme shows first. */
export function siteColour(branding: JsonObject, theme: ThemeColours): Rgb {
  const { brand } = brandColours(branding, theme)[theme.scheme === 'dark' ? 'dark' : 'light']
  return parseColour(brand) ?? UNREAD_BRAND
}

/** The colours of the browser around a page, each with the media query that it is for. */
export function themeColours(branding: JsonObject, theme: ThemeColours): HeadView['themeColours'] {
  const { light, dark } = brandColours(branding, theme)
  if (theme.scheme !== 'light dark') return [{ colour: { light, dark }[theme.scheme].brand, media: null }]
  if (light.brand === dark.brand) return [{ colour: light.brand, media: null }]
  return [
    { colour: light.brand, media: '(prefers-color-scheme: light)' },
    { colour: dark.brand, media: '(prefers-color-scheme: dark)' },
  ]
}

function property(
  name: string,
  value: JsonValue | undefined,
  isAllowed: (text: string) => boolean,
): Record<string, string> {
  const text = typeof value === 'string' ? value.trim() : ''
  return text !== '' && isAllowed(text) ? { [name]: text } : {}
}
