import { objectOf, textOf } from '../config/config-values.ts'
import type { SourceLists } from '../conversion.ts'
import { numberedPaths } from '../links/numbered-lists.ts'
import type { DocusaurusPart } from './plugins.ts'

/** The names of the feeds that a blog has, by the words of its option. */
const FEEDS: Readonly<Record<string, readonly string[]>> = {
  rss: ['rss.xml'],
  atom: ['atom.xml'],
  json: ['feed.json'],
  all: ['rss.xml', 'atom.xml', 'feed.json'],
}
const USUAL_FEEDS = ['rss', 'atom']

/** Feeds and lists of tags of blogs. Source: https://docusaurus.io/docs/api/plugins/@docusaurus/plugin-content-blog. */
export function docusaurusLists(blogs: readonly DocusaurusPart[]): SourceLists {
  const at = (base: string, name: string) => `/${base === '' ? '' : `${base}/`}${name}`
  return {
    feeds: new Map(
      blogs.flatMap(({ base, options }) => feedNames(options).map((name) => [at(base, name), base])),
    ),
    others: blogs.map(({ base, options }) => ({
      folder: base,
      pathsOf: numberedPaths(sizeOf(options), (number) => at(base, `page/${number}`)),
    })),
    terms: blogs.map(({ base, options }) => ({
      field: 'tags',
      pathsOf: (tag) => ({
        list: at(base, `${textOf(options['tagsBasePath']) ?? 'tags'}/${kebabCase(tag)}`),
        feeds: [],
      }),
    })),
  }
}

/** Posts per page. All are on one page with `ALL`. */
function sizeOf({ postsPerPage = 10 }: DocusaurusPart['options']): number {
  return typeof postsPerPage === 'number' ? postsPerPage : 0
}

function feedNames({ feedOptions }: DocusaurusPart['options']): readonly string[] {
  const { type = USUAL_FEEDS } = objectOf(feedOptions)
  return [type ?? []].flat().flatMap((name) => FEEDS[String(name)] ?? [])
}

/** Writes words as lodash does: Docusaurus uses its form for addresses of tags. */
function kebabCase(text: string): string {
  const words = text.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+|\d+/gu) ?? []
  return words.join('-').toLowerCase()
}
