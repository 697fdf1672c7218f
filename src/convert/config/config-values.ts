import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { firstCharacters } from '../page/field-text.ts'

/** The text of a value without blanks at its ends. Undefined when it is empty or no text. */
export function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** The objects of a list. */
export function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** The texts of a list, or a text alone. */
export function listNames(value: JsonValue | undefined): readonly string[] {
  return [value ?? []].flat().filter((name) => typeof name === 'string')
}

export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** The value below an object at a path of names. Undefined when there is none. */
export function valueAt(value: JsonObject, names: readonly string[]): JsonValue | undefined {
  return names.reduce<JsonValue | undefined>(
    (at, name) => (isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined),
    value,
  )
}

/** `branding` of site.yaml for a site in another language than English. */
export function brandingOf(lang: JsonValue | undefined): JsonObject | undefined {
  const tag = textOf(lang)?.replace('_', '-')
  if (tag === undefined || /^en(-us)?$/i.test(tag)) return undefined
  return /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(tag) ? { lang: tag } : undefined
}

/** The limit for a link of the header. */
export const MAX_LABEL_LENGTH = 100

/** A link of the header. Null for one that `site.yaml` does not accept. */
export function navLink(label: JsonValue | undefined, href: JsonValue | undefined): JsonObject | null {
  const [shown, target] = [textOf(label), textOf(href)]
  if (shown === undefined || target === undefined || !/^(\/|https?:\/\/)[^\s\\]*$/.test(target)) return null
  const isExternal = !target.startsWith('/')
  return {
    label: firstCharacters(shown, MAX_LABEL_LENGTH),
    href: target,
    ...(isExternal && { external: true }),
  }
}

/** An image that `site.yaml` accepts as a logo. */
export function logoPath(value: JsonValue | undefined): string | undefined {
  const path = textOf(value)
  return path !== undefined && /^(\/|https?:\/\/).*\.(png|jpe?g|svg)$/i.test(path) ? path : undefined
}
