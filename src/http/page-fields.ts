import { z } from 'zod'
import { isJsonObject, type JsonObject } from '../domain/json.ts'
import { PAGE_TYPES, type PageType } from '../domain/page.ts'
import type { InvalidField } from '../domain/section.ts'
import { sectionFaults } from '../sections/validate.ts'

/* What both surfaces read alike of a page: its type, its two names for the title, its config. */

const MAX_CONFIG_BYTES = 512 * 1024

/** The current names of types, then the legacy ones that differ. */
export const TYPE_NAMES = [...PAGE_TYPES, 'post', 'doc'] as const

const LEGACY_TYPES: Readonly<Record<string, PageType>> = { post: 'article', doc: 'docs' }

/** Either vocabulary is understood on either surface. */
export const pageType = z
  .enum(TYPE_NAMES, 'must be page, article (or post), docs (or doc), or item.')
  .transform((given) => LEGACY_TYPES[given] ?? (given as PageType))
  .meta({ description: '`post` is `article`, `doc` is `docs`.', examples: ['article'] })

/** The type under its current name; null for what is none. */
export function pageTypeOf(given: unknown): PageType | null {
  return pageType.safeParse(given).data ?? null
}

export const config = z
  .custom<JsonObject>(isJsonObject, 'must be an object.')
  .refine(fitsConfig, 'must be at most 512 KiB.')
  .meta({
    type: 'object',
    description: 'Sections of a `page`, fields of an `item`; at most 512 KiB. Replaces what is stored.',
    examples: [{}],
  })

function fitsConfig(value: JsonObject): boolean {
  return Buffer.byteLength(JSON.stringify(value)) <= MAX_CONFIG_BYTES
}

/** What the config of a `page` must hold to; the other types keep anything. One that is too large is not read. */
export function configFaults(
  type: PageType | null,
  given: unknown,
  themes: readonly string[],
): readonly InvalidField[] {
  if (type !== 'page' || !isJsonObject(given) || !fitsConfig(given)) return []
  const { sections, theme } = given
  return [
    ...(sections === undefined ? [] : sectionFaults(sections)),
    ...(theme === undefined || theme === null || themes.some((known) => known === theme)
      ? []
      : [{ path: 'config.theme', message: `must be one of ${themes.join(', ')}.` }]),
  ]
}

type TitleName = 'title' | 'page_name'

/**
 * The body with its title under one name: `title` and `page_name` are one field.
 *
 * @param stored of two values the one that differs from this wins.
 */
export function withTitleAs(name: TitleName, body: JsonObject, stored: string | null): JsonObject {
  const { title, page_name: pageName, ...rest } = body
  const wanted = pageName === undefined || (title !== undefined && pageName === stored) ? title : pageName
  return wanted === undefined ? rest : { ...rest, [name]: wanted }
}

export function titleFaults(
  { title, page_name: pageName }: JsonObject,
  stored: string | null,
): readonly InvalidField[] {
  const clash = title !== undefined && pageName !== undefined && title !== pageName
  if (!clash || (stored !== null && (title === stored || pageName === stored))) return []
  return [{ path: 'page_name', message: 'is the same field as title, but has another value.' }]
}
