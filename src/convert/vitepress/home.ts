import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { textOf } from '../config/config-values.ts'
import { defined } from '../config/source-config.ts'
import type { FieldNotice } from '../page/field-problems.ts'
import { fieldText } from '../page/field-text.ts'

/** Converts a page with the layout `home` of VitePress, or with a `hero` of Starlight, to a page of sections. Null for any other page. */
export function homeSections(
  frontMatter: JsonObject,
  linkTo: (target: string) => string | null,
  lang: string | undefined,
): JsonObject | null {
  const { layout, template, hero, features } = frontMatter
  if ((layout !== 'home' && template !== 'splash') || (!isJsonObject(hero) && !Array.isArray(features)))
    return null
  const top = isJsonObject(hero) ? hero : {}
  const title = textOf(frontMatter['title']) ?? textOf(top['name']) ?? textOf(top['text']) ?? 'Home'
  const cards = Array.isArray(features) ? features.filter(isJsonObject) : []
  return defined({
    type: 'page',
    title,
    description: textOf(frontMatter['description']),
    lang: textOf(frontMatter['lang']) ?? lang,
    sections: [
      ...(isJsonObject(hero) ? [heroSection(hero, title, linkTo)] : []),
      ...(cards.length === 0
        ? []
        : [{ type: 'features', title, items: cards.map((card) => cardOf(card, linkTo)) }]),
    ],
  })
}

/** Fields of the sections and the page, and fields about its layout. */
const CONVERTED = new Set([
  'title',
  'description',
  'lang',
  'hero',
  'features',
  'layout',
  'template',
  'draft',
  'aliases',
  'redirect_from',
])

/** The fields of a home page that are left out. */
export function homeNotices(frontMatter: JsonObject): readonly FieldNotice[] {
  const others = Object.keys(frontMatter).filter((field) => !CONVERTED.has(field))
  return others.map((field) => ({
    field,
    code: 'QN-NOT-CONVERTED',
    message: `\`${field}\` of a home page is left out.`,
  }))
}

function heroSection(hero: JsonObject, title: string, linkTo: (target: string) => string | null): JsonObject {
  const actions = Array.isArray(hero['actions']) ? hero['actions'].filter(isJsonObject) : []
  return defined({
    type: 'hero',
    title: textOf(hero['text']) ?? textOf(hero['name']) ?? textOf(hero['title']) ?? title,
    tagline: hero['text'] === undefined ? undefined : textOf(hero['name']),
    subtitle: textOf(hero['tagline']),
    image: pictureOf(hero['image'], linkTo),
    actions: actions.map((action) =>
      defined({
        // A theme may draw an image in place of a text.
        text: fieldText(action['text']) ?? textOf(action['link'])?.replace(/^https?:\/\/(?:www\.)?|\/$/g, ''),
        link: resolvedLink(action['link'], linkTo),
        variant:
          action['theme'] === 'alt' || action['variant'] === 'secondary' || action['variant'] === 'minimal'
            ? 'secondary'
            : 'primary',
      }),
    ),
  })
}

function cardOf(card: JsonObject, linkTo: (target: string) => string | null): JsonObject {
  return defined({
    title: textOf(card['title']),
    description: textOf(card['details']),
    icon: typeof card['icon'] === 'string' ? card['icon'] : undefined,
    image: isJsonObject(card['icon']) ? pictureOf(card['icon'], linkTo) : undefined,
    link: resolvedLink(card['link'], linkTo),
    link_text: textOf(card['linkText']),
  })
}

function pictureOf(
  given: JsonValue | undefined,
  linkTo: (target: string) => string | null,
): JsonValue | undefined {
  if (typeof given === 'string') return resolvedLink(given, linkTo)
  if (!isJsonObject(given)) return undefined
  const src = resolvedLink(given['src'] ?? given['file'] ?? given['light'], linkTo)
  return src === undefined
    ? undefined
    : defined({ src, alt: textOf(given['alt']) ?? '', dark: resolvedLink(given['dark'], linkTo) })
}

function resolvedLink(
  target: JsonValue | undefined,
  linkTo: (target: string) => string | null,
): string | undefined {
  return typeof target === 'string' ? (linkTo(target) ?? target) : undefined
}
