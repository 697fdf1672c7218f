import { stringify } from 'yaml'
import type { JsonObject } from '../../domain/json.ts'
import { authorFaults } from '../../domain/site-author.ts'
import { tagAddress } from '../../domain/tag.ts'
import { objectOf, textOf } from '../config/config-values.ts'
import { defined } from '../config/source-config.ts'
import type { SourceSite } from '../conversion.ts'
import type { ListedArticle } from '../links/listed-addresses.ts'
import { authorOf } from './page-author.ts'

/** Authors by their short names, as Docusaurus and Material for MkDocs describe them, in the form of `data/authors.yaml`. */
export function describedAuthors(given: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => {
      const { name, title, description, image_url, imageURL, avatar, url } = objectOf(value)
      if (textOf(name) === undefined) return []
      const author = defined({
        name: textOf(name),
        bio: textOf(description) ?? textOf(title),
        avatar: textOf(image_url) ?? textOf(imageURL) ?? textOf(avatar),
        url: textOf(url),
      })
      const faults = authorFaults({ authors: { [key]: author } }).map(({ path }) => path[2])
      if (faults.includes(undefined)) return []
      return [[key, Object.fromEntries(Object.entries(author).filter(([field]) => !faults.includes(field)))]]
    }),
  )
}

/**
 * The text of `data/authors.yaml`: the described authors of the source site, and the authors whose lists it has by name
 * alone. Null without any.
 */
export function authorsFile(
  { authors = {}, lists }: SourceSite,
  articles: readonly ListedArticle[],
): string | null {
  const hasLists = lists?.terms.some(({ field }) => /^authors?$/.test(field)) === true
  const known = new Set(
    Object.entries(authors).flatMap(([key, value]) => [key, String(objectOf(value)['name'])].map(tagAddress)),
  )
  const named = articles.flatMap(({ fields }) => authorOf(fields) ?? [])
  const others = [...new Set(hasLists ? named : [])].filter((name) => !known.has(tagAddress(name)))
  const all = {
    ...authors,
    ...describedAuthors(Object.fromEntries(others.map((name) => [tagAddress(name), { name }]))),
  }
  return Object.keys(all).length === 0 ? null : stringify(all)
}
