import type { JsonObject } from '../../domain/json.ts'
import { textOf } from '../config/config-values.ts'
import type { SourceLists } from '../conversion.ts'
import { archivePaths, numberedPaths } from '../links/numbered-lists.ts'
import { blogFolder, slugOf } from './blog.ts'

const FEEDS = ['feed_rss_created.xml', 'feed_rss_updated.xml']

/**
 * The feeds of the plugin for RSS, and the categories of the blog plugin.
 *
 * @param blog options of the plugin; null for a site without it.
 */
export function mkdocsLists(blog: JsonObject | null, hasFeeds: boolean): SourceLists {
  const format = textOf(blog?.['categories_url_format']) ?? 'category/{slug}'
  return {
    feeds: new Map(hasFeeds ? FEEDS.map((name) => [`/${name}`, '']) : []),
    others:
      blog === null
        ? []
        : [
            {
              folder: blogFolder(blog),
              pathsOf: (articles) => [
                ...numberedPaths(
                  Number(blog['pagination_per_page'] ?? 10),
                  (number) => `/${blogFolder(blog)}/page/${number}/`,
                )(articles),
                ...archivePaths((date) =>
                  date.length === 1 ? `/${blogFolder(blog)}/archive/${date[0]}/` : null,
                )(articles),
              ],
            },
          ],
    terms:
      blog === null || blog['categories'] === false
        ? []
        : [
            {
              field: 'categories',
              pathsOf: (category) => ({
                list: `/${blogFolder(blog)}/${format.replace('{slug}', slugOf(category))}/`,
                feeds: [],
              }),
            },
          ],
  }
}
