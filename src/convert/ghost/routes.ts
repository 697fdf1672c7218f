import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { objectOf, textOf } from '../config/config-values.ts'
import { readYaml } from '../config/source-config.ts'

/** Facts of a post for its address. */
export interface RoutedPost {
  readonly id: string
  readonly slug: string
  /** ISO 8601, in the zone of the site. */
  readonly date: string | null
  readonly tags: readonly string[]
  readonly authors: readonly string[]
  readonly isFeatured: boolean
}

export interface GhostRoutes {
  readonly addressOf: (post: RoutedPost) => string
  readonly tagAddress: (slug: string) => string
  readonly authorAddress: (slug: string) => string
  readonly diagnostics: readonly Diagnostic[]
}

interface Collection {
  readonly permalink: string
  readonly filter: string | undefined
}

const FILE = 'routes.yaml'

/** @param text of `routes.yaml` next to the export. Null for the usual routes. @param permalink of older versions. */
export function ghostRoutes(text: string | null, permalink: JsonValue | undefined): GhostRoutes {
  const read = text === null ? {} : readYaml(text)
  const routes = typeof read === 'string' ? {} : read
  const collections = Object.values(objectOf(routes['collections']))
    .filter(isJsonObject)
    .map(
      (each): Collection => ({
        permalink: textOf(each['permalink']) ?? '/{slug}/',
        filter: textOf(each['filter']),
      }),
    )
  const all = collections.length > 0 ? collections : [{ permalink: older(permalink), filter: undefined }]
  const taxonomies = objectOf(routes['taxonomies'])
  const [tag, author] = [
    textOf(taxonomies['tag']) ?? '/tag/{slug}/',
    textOf(taxonomies['author']) ?? '/author/{slug}/',
  ]
  const unread = all.filter(({ filter }) => filter !== undefined && !FILTER.test(filter))
  const custom = Object.keys(objectOf(routes['routes']))
  return {
    addressOf: (post) =>
      filled((all.find(({ filter }) => matches(post, filter)) ?? all[0])?.permalink ?? '/{slug}/', post),
    tagAddress: (slug) => tag.replaceAll('{slug}', slug),
    authorAddress: (slug) => author.replaceAll('{slug}', slug),
    diagnostics: [
      ...(typeof read === 'string'
        ? [diagnostic('QN-SOURCE-UNREADABLE', FILE, `The routes cannot be read: ${read}`)]
        : []),
      ...unread.map(({ filter }) =>
        diagnostic(
          'QN-PARTLY-CONVERTED',
          FILE,
          `The filter \`${filter}\` is not read: its posts have the first permalink that fits.`,
        ),
      ),
      ...(custom.length === 0
        ? []
        : [
            diagnostic(
              'QN-NOT-CONVERTED',
              FILE,
              `Routes that templates fill are left out: ${custom.join(', ')}.`,
            ),
          ]),
    ],
  }
}

/** Parts of a filter that are read, all of which must hold. */
const FILTER =
  /^(?:(?:tags?|primary_tag|authors?|primary_author|featured):[\w-]+)(?:\+(?:tags?|primary_tag|authors?|primary_author|featured):[\w-]+)*$/

function matches(post: RoutedPost, filter: string | undefined): boolean {
  if (filter === undefined) return true
  if (!FILTER.test(filter)) return false
  return filter.split('+').every((part) => {
    const [, name = '', not = '', value = ''] = /^(\w+):(-?)(.*)$/.exec(part) ?? []
    const values: Readonly<Record<string, readonly string[]>> = {
      tag: post.tags,
      tags: post.tags,
      primary_tag: post.tags.slice(0, 1),
      author: post.authors,
      authors: post.authors,
      primary_author: post.authors.slice(0, 1),
      featured: [String(post.isFeatured)],
    }
    return (values[name] ?? []).includes(value) === (not === '')
  })
}

function filled(permalink: string, { id, slug, date, tags, authors }: RoutedPost): string {
  const [year = '', month = '', day = ''] = (date ?? '').slice(0, 10).split('-')
  const values: JsonObject = {
    id,
    slug,
    year,
    month,
    day,
    primary_tag: tags[0] ?? 'all',
    primary_author: authors[0] ?? 'all',
    author: authors[0] ?? 'all',
  }
  return permalink.replace(/\{(\w+)\}/g, (written, name: string) => String(values[name] ?? written))
}

/** `/:year/:month/:slug/`, a setting of versions without routes. */
function older(permalink: JsonValue | undefined): string {
  return (textOf(permalink) ?? '/{slug}/').replace(/:(\w+)/g, '{$1}')
}
