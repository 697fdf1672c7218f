import type { JsonObject } from '../../domain/json.ts'
import { listNames, objectOf, textOf } from '../config/config-values.ts'
import type { SourceLists, SourceTerms } from '../conversion.ts'
import { numberedPaths } from '../links/numbered-lists.ts'
import { slugOf } from './permalinks.ts'

/** The permalinks of the plugin for archives, by the words of its option. Source: https://github.com/jekyll/jekyll-archives. */
const ARCHIVES = [
  { kind: 'tags', name: 'tag', usual: '/tag/:name/' },
  { kind: 'categories', name: 'category', usual: '/category/:name/' },
]

/** The feed of the plugin for feeds, and lists of the plugin for archives. */
export function jekyllLists(config: JsonObject): SourceLists {
  const plugins = [...listNames(config['plugins']), ...listNames(config['gems'])]
  const feed = objectOf(config['feed'])
  const archives = objectOf(config['jekyll-archives'])
  const enabled =
    archives['enabled'] === 'all' ? ARCHIVES.map(({ kind }) => kind) : listNames(archives['enabled'])
  const permalinks = objectOf(archives['permalinks'])
  const feeds = plugins.includes('jekyll-feed')
    ? [
        [withSlash(textOf(feed['path']) ?? 'feed.xml'), ''] as const,
        ...listNames(feed['categories']).map((name) => [`/feed/${name}.xml`, name] as const),
      ]
    : []
  const pagination = textOf(config['paginate_path']) ?? '/page:num/'
  const numbered = numberedPaths(Number(config['paginate'] ?? 0), (number) =>
    withSlash(pagination.replace(':num', number)),
  )
  return {
    feeds: new Map(feeds),
    others: [{ folder: '', pathsOf: numbered }],
    terms: !plugins.includes('jekyll-archives')
      ? []
      : ARCHIVES.filter(({ kind }) => enabled.includes(kind)).map(
          ({ kind, name, usual }): SourceTerms => ({
            field: kind,
            pathsOf: (term) => ({
              list: (textOf(permalinks[name]) ?? usual).replace(':name', slugOf(term)),
              feeds: [],
            }),
          }),
        ),
  }
}

function withSlash(path: string): string {
  return path.startsWith('/') ? path : `/${path}`
}
