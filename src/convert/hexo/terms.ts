import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { objectOf, textOf } from '../config/config-values.ts'
import type { SourceLists } from '../conversion.ts'
import { archivePaths, numberedPaths } from '../links/numbered-lists.ts'
import { slugized } from './slug.ts'

/**
 * The categories of a post as lists of names, from the top: `[Dev, Web]` is Web below Dev, and of a list of lists each is one.
 * Source: https://hexo.io/docs/front-matter#Categories-amp-Tags.
 */
function categoriesOf({ categories, category }: JsonObject): readonly (readonly string[])[] {
  const given = categories ?? category ?? []
  const list = Array.isArray(given) ? given : [given]
  if (list.length === 0) return []
  const names = (value: JsonValue) => [value].flat().map(String)
  return list.some(Array.isArray) ? list.map(names) : [names(list)]
}

/** The addresses of the categories of a post below their folder, by their names. Of two with one name the first counts. */
export function categoryPaths(fields: JsonObject, config: JsonObject): ReadonlyMap<string, string> {
  const paths = new Map<string, string>()
  for (const names of categoriesOf(fields))
    for (const [index, name] of names.entries()) {
      const path = names.slice(0, index + 1).map((each) => mapped(each, config['category_map']))
      if (!paths.has(name)) paths.set(name, path.join('/'))
    }
  return paths
}

/** The address of the innermost category of a post below their folder. Undefined for a post without one. */
export function categoryPath(fields: JsonObject, config: JsonObject): string | undefined {
  const innermost = categoriesOf(fields).at(-1)?.at(-1)
  return innermost === undefined ? undefined : categoryPaths(fields, config).get(innermost)
}

/**
 * Feeds and lists of Hexo and its usual plugins.
 *
 * @param categories the addresses of all categories below their folder, by name.
 */
export function hexoLists(
  config: JsonObject,
  plugins: ReadonlySet<string>,
  categories: ReadonlyMap<string, string>,
): SourceLists {
  const folder = (field: string, usual: string) => (textOf(config[field]) ?? usual).replace(/^\/+|\/+$/g, '')
  const named = objectOf(config['feed'])['path'] ?? 'atom.xml'
  const feeds = plugins.has('hexo-generator-feed') ? [named].flat().map(String) : []
  const terms = (field: string, below: string, pathOf: (term: string) => string) => ({
    field,
    pathsOf: (term: string) => ({ list: `/${below}/${pathOf(term)}/`, feeds: [] }),
  })
  const below = (folderName: string) => (folderName === '' ? '/' : `/${folderName}/`)
  const size = Number(objectOf(config['index_generator'])['per_page'] ?? config['per_page'] ?? 10)
  const home = textOf(objectOf(config['index_generator'])['path'])?.replace(/^\/+|\/+$/g, '') ?? ''
  const numbered = numberedPaths(
    size,
    (number) => `${below(home)}${folder('pagination_dir', 'page')}/${number}/`,
  )
  const archive = folder('archive_dir', 'archives')
  const archives = archivePaths((date) => (date.length > 2 ? null : `/${archive}/${date.join('/')}/`))
  return {
    feeds: new Map(feeds.map((path) => [`/${path.replace(/^\/+/, '')}`, ''])),
    terms: [
      terms('tags', folder('tag_dir', 'tags'), (term) => mapped(term, config['tag_map'])),
      terms(
        'categories',
        folder('category_dir', 'categories'),
        (term) => categories.get(term) ?? slugized(term),
      ),
    ],
    others: [
      { folder: '', pathsOf: (articles) => [...numbered(articles), `/${archive}/`, ...archives(articles)] },
    ],
  }
}

function mapped(name: string, map: JsonValue | undefined): string {
  return textOf(objectOf(map)[name]) ?? slugized(name)
}
