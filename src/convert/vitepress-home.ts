import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { defined } from './source-config.ts'

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
  const title = text(frontMatter['title']) ?? text(top['name']) ?? text(top['text']) ?? 'Home'
  const cards = Array.isArray(features) ? features.filter(isJsonObject) : []
  return defined({
    type: 'page',
    title,
    description: text(frontMatter['description']),
    lang: text(frontMatter['lang']) ?? lang,
    sections: [
      ...(isJsonObject(hero) ? [heroSection(hero, title, linkTo)] : []),
      ...(cards.length === 0
        ? []
        : [{ type: 'features', title, items: cards.map((card) => cardOf(card, linkTo)) }]),
    ],
  })
}

function heroSection(hero: JsonObject, title: string, linkTo: (target: string) => string | null): JsonObject {
  const actions = Array.isArray(hero['actions']) ? hero['actions'].filter(isJsonObject) : []
  return defined({
    type: 'hero',
    title: text(hero['text']) ?? text(hero['name']) ?? text(hero['title']) ?? title,
    tagline: hero['text'] === undefined ? undefined : text(hero['name']),
    subtitle: text(hero['tagline']),
    image: pictureOf(hero['image'], linkTo),
    actions: actions.map((action) =>
      defined({
        text: text(action['text']),
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
    title: text(card['title']),
    description: text(card['details']),
    icon: typeof card['icon'] === 'string' ? card['icon'] : undefined,
    image: isJsonObject(card['icon']) ? pictureOf(card['icon'], linkTo) : undefined,
    link: resolvedLink(card['link'], linkTo),
    link_text: text(card['linkText']),
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
    : defined({ src, alt: text(given['alt']) ?? '', dark: resolvedLink(given['dark'], linkTo) })
}

function resolvedLink(
  target: JsonValue | undefined,
  linkTo: (target: string) => string | null,
): string | undefined {
  return typeof target === 'string' ? (linkTo(target) ?? target) : undefined
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}
