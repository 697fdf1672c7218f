import { z } from 'zod'
import { prefixed } from '../domain/ids.ts'
import { type InvalidField, ruleOf } from '../domain/invalid-field.ts'
import { isJsonObject, type JsonObject } from '../domain/json.ts'
import { PAGE_TYPES, type PageType, type TypeFields } from '../domain/page.ts'
import { namedTypeFields } from '../fields/page-fields.ts'
import { sectionErrors } from '../sections/validate.ts'

/* Fields of a page that both surfaces read in the same way: type, title under two names, config. */

const MAX_CONFIG_BYTES = 512 * 1024

/** The current names of types, then the legacy ones that differ. */
export const TYPE_NAMES = [...PAGE_TYPES, 'post', 'doc'] as const

const LEGACY_TYPES: Readonly<Record<string, PageType>> = { post: 'article', doc: 'docs' }

/** Both surfaces accept both vocabularies. */
export const pageType = z
  .enum(TYPE_NAMES, 'must be page, article (or post), docs (or doc), or item.')
  .transform((given) => LEGACY_TYPES[given] ?? (given as PageType))
  .meta({ description: '`post` is `article`, `doc` is `docs`.', examples: ['article'] })

/** The type under its current name; null when the value is not a type. */
export function pageTypeOf(given: unknown): PageType | null {
  return pageType.safeParse(given).data ?? null
}

export const config = z
  .custom<JsonObject>(isJsonObject, 'must be an object.')
  .refine(fitsConfig, { error: 'must be at most 512 KiB.', ...ruleOf('wrong_length') })
  .meta({
    type: 'object',
    description: 'Sections of a `page`, fields of an `item`; at most 512 KiB. Replaces the stored value.',
    examples: [{}],
  })

function fitsConfig(value: JsonObject): boolean {
  return Buffer.byteLength(JSON.stringify(value)) <= MAX_CONFIG_BYTES
}

/** Errors in the config of a `page`; other types accept any config. A config that is too large is not checked. */
export function configErrors(
  type: PageType | null,
  given: unknown,
  themes: readonly string[],
): readonly InvalidField[] {
  if (type !== 'page' || !isJsonObject(given) || !fitsConfig(given)) return []
  const { sections, theme } = given
  return [
    ...(sections === undefined ? [] : sectionErrors(sections)),
    ...(theme === undefined || theme === null || themes.some((known) => known === theme)
      ? []
      : [
          {
            path: 'config.theme',
            message: `must be one of ${themes.join(', ')}.`,
            code: 'not_allowed' as const,
          },
        ]),
  ]
}

type TitleName = 'title' | 'page_name'

/**
 * Moves the title to one name: `title` and `page_name` are the same field.
 *
 * @param stored the stored title: when the two differ, the one that is not this value is used.
 */
export function withTitleAs(name: TitleName, body: JsonObject, stored: string | null): JsonObject {
  const { title, page_name: pageName, ...rest } = body
  const wanted = pageName === undefined || (title !== undefined && pageName === stored) ? title : pageName
  return wanted === undefined ? rest : { ...rest, [name]: wanted }
}

export function titleErrors(
  { title, page_name: pageName }: JsonObject,
  stored: string | null,
): readonly InvalidField[] {
  const clash = title !== undefined && pageName !== undefined && title !== pageName
  if (!clash || (stored !== null && (title === stored || pageName === stored))) return []
  return [
    {
      path: 'page_name',
      message: 'is the same field as title, but has another value.',
      code: 'contradictory',
    },
  ]
}

/** The fields that only pages of this type have. */
export function presentTypeFields(type: PageType, fields: TypeFields) {
  const named = namedTypeFields(type, fields)
  if (type !== 'docs') return named
  return { ...named, parent_page: fields.parentPage === null ? null : prefixed('page', fields.parentPage) }
}
