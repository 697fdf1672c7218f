import { textOf } from '../config/config-values.ts'
import type { SourceFiles, SourceLists } from '../conversion.ts'
import { splitSourcePage } from '../page/source-front-matter.ts'
import { slugified } from './data.ts'

const TEMPLATE = /\.(njk|liquid|html|hbs|xml)$/
/** The page of each tag, e.g. `/tags/{{ tag | slugify }}/`. */
const TAG_PAGE = /^\/?([\w/-]*\/)?\{\{-?\s*tag\b[^}]*\}\}\/?(?:index\.html)?$/
const PLUGIN_FEED =
  /\b(?:feedPlugin|pluginRss|eleventy-plugin-rss)\b[\s\S]{0,400}?\boutputPath:\s*["'`]([^"'`$]+)["'`]/

/** Feeds and pages of tags, which templates make: their `permalink` is read, and the option of the plugin for feeds. */
export function eleventyLists(files: SourceFiles, contentRoot: string, config: string): SourceLists {
  const permalinks = files.paths
    .filter((path) => path.startsWith(contentRoot) && TEMPLATE.test(path))
    .flatMap((path) => textOf(splitSourcePage(files.text(path) ?? '').fields['permalink']) ?? [])
  const [, ofPlugin] = PLUGIN_FEED.exec(config) ?? []
  const feeds = [...permalinks, ...(ofPlugin === undefined ? [] : [ofPlugin])].filter(
    (path) => !path.includes('{') && /(?:feed|rss|atom|index)[\w.-]*\.(?:xml|json)$/i.test(path),
  )
  const prefixes = permalinks.flatMap((path) => {
    const found = TAG_PAGE.exec(path)
    return found === null ? [] : [found[1] ?? '']
  })
  return {
    feeds: new Map(feeds.map((path) => [`/${path.replace(/^\//, '')}`, ''])),
    terms: prefixes.map((prefix) => ({
      field: 'tags',
      pathsOf: (tag) => ({ list: `/${prefix}${slugified(tag)}/`, feeds: [] }),
    })),
  }
}
