import { blogOf } from '../../domain/blog.ts'
import type { JsonObject } from '../../domain/json.ts'
import { decodedPath } from '../../domain/route.ts'
import { authorFolder } from '../../domain/site-author.ts'
import { foldedAddress } from '../../domain/slug.ts'
import { readTags, tagAddress } from '../../domain/tag.ts'
import { tagFolder, tagsFolder } from '../../domain/tag-list.ts'
import { listNames, listOf, objectOf, textOf } from '../config/config-values.ts'
import { readYaml } from '../config/source-config.ts'
import { numberedPages } from '../page/numbered-pages.ts'
import { foldersOf } from '../page/page-route.ts'
import { splitSourcePage } from '../page/source-front-matter.ts'
import { labelsIn } from './published.ts'

/** The addresses, labels and languages of a content folder, from its files. */
export interface NewSite {
  /** Paths of live pages, lists and feeds, in the form of `plainAddress`. */
  readonly addresses: ReadonlySet<string>
  /** Paths of redirects, in the same form. */
  readonly redirects: ReadonlySet<string>
  /** Labels of the links of header, footer and sidebar. */
  readonly labels: ReadonlySet<string>
  /** In lower case. */
  readonly languages: ReadonlySet<string>
}

/**
 * @param pages the files of pages in the new folder.
 * @param textIn reads a file of the new folder. Null when there is none.
 */
export function readNewSite(pages: Iterable<string>, textIn: (path: string) => string | null): NewSite {
  const site = yamlIn(textIn('site.yaml'))
  const addresses = new Set<string>()
  const redirects = new Set(Object.keys(yamlIn(textIn('redirects.yaml'))).map(plainAddress))
  /** The number of live articles, by blog. */
  const articles = new Map<string, number>()
  const authors = yamlIn(textIn('data/authors.yaml'))
  const folders = listOf(site['locales']).map(({ subroute }) => textOf(subroute) ?? '')
  for (const file of pages) {
    const text = textIn(file)
    if (text === null) continue
    const { fields } = splitSourcePage(text)
    if (fields['draft'] === true) continue
    const route = file.replace(/\.md$/, '').replace(/(^|\/)index$/, '')
    addresses.add(plainAddress(`/${route}`))
    for (const path of listNames(fields['redirect_from'])) redirects.add(plainAddress(path))
    if (fields['type'] !== 'article') continue
    const blog = blogIn(file, fields)
    if (blog !== null) {
      articles.set(blog, (articles.get(blog) ?? 0) + 1)
      for (const list of [...listsOf(blog, fields), ...authorLists(blog, fields, authors)])
        addresses.add(plainAddress(list))
    }
    for (const folder of ['', ...folders.filter((each) => foldersOf(route).includes(each))])
      addresses.add(plainAddress(`/${folder === '' ? '' : `${folder}/`}feed.xml`))
  }
  for (const [blog, count] of articles) for (const path of numberedPages(blog, count)) addresses.add(path)
  const around = [site, ...Object.values(objectOf(site['by_locale'])).map(objectOf)]
  const codes = listOf(site['locales']).flatMap(({ code }) => textOf(code) ?? [])
  const main = textOf(objectOf(site['branding'])['lang']) ?? 'en'
  return {
    addresses,
    redirects,
    labels: new Set(
      around.flatMap(({ nav_links, shared_footer, docs_nav }) => [
        ...labelsIn(nav_links),
        ...labelsIn(objectOf(shared_footer)['links']),
        ...listOf(docs_nav).flatMap(({ title }) => textOf(title) ?? []),
      ]),
    ),
    languages: new Set([...codes, ...(codes.length === 0 ? [main] : [])].map((code) => code.toLowerCase())),
  }
}

function blogIn(file: string, fields: JsonObject): string | null {
  const [slug = '', ...above] = file.replace(/\.md$/, '').split('/').toReversed()
  const stated = fields['blog']
  return blogOf(
    { type: 'article', subroute: above.toReversed().join('/'), slug },
    typeof stated === 'string' ? stated : null,
  )
}

/** The list of the author of an article, and its feed, if the site describes them. */
function authorLists(blog: string, { author }: JsonObject, authors: JsonObject): readonly string[] {
  const name = tagAddress(textOf(author) ?? '')
  const found = Object.entries(authors).find(([key, described]) =>
    [key, textOf(objectOf(described)['name']) ?? ''].some((each) => tagAddress(each) === name),
  )
  if (name === '' || found === undefined) return []
  const list = `/${authorFolder(blog, tagAddress(found[0]))}`
  return [list, `${list}/feed.xml`]
}

/** The lists of an article of a blog, and their feeds. */
function listsOf(blog: string, fields: JsonObject): readonly string[] {
  const tags = readTags(fields['tags']).map((name) => `/${tagFolder(blog, tagAddress(name))}`)
  return [`/${blog}`, `/${tagsFolder(blog)}`, '/tags', ...tags, ...tags.map((list) => `${list}/feed.xml`)]
}

/**
 * The one form of the spellings of an address: decoded, folded, and without a trailing slash or the name of an index.
 */
export function plainAddress(path: string): string {
  const decoded = decodedPath(path) ?? path
  return foldedAddress(`/${decoded.replace(/^\/+/, '')}`)
    .replace(/\/index\.html$/, '')
    .replace(/\/+$/, '')
}

function yamlIn(text: string | null): JsonObject {
  const read = text === null ? {} : readYaml(text)
  return typeof read === 'string' ? {} : read
}
