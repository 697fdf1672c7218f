import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { textOf } from '../config/config-values.ts'
import { prefixOf } from '../config/configured-folder.ts'
import { readDataFile } from '../config/data-file.ts'
import type { PageTarget, SourceFiles } from '../conversion.ts'
import { routeOf } from '../page/page-route.ts'
import { describedAuthors } from '../page/site-authors.ts'
import { splitSourcePage } from '../page/source-front-matter.ts'
import { NO_PAGE } from './docs.ts'
import { type DocusaurusPart, isOwnPage } from './plugins.ts'

const POST = /^(?:(\d{4})[-/](\d{1,2})[-/](\d{1,2})[-/])?(.*?)(?:\/index)?\.mdx?$/

export interface BlogPost {
  readonly target: PageTarget
  /** Fields that the name of the file and the list of authors give the post. */
  readonly defaults: JsonObject
  /** Fields that replace the ones of the post: its tags by their labels. */
  readonly overrides: JsonObject
}

/** The authors of a blog, as its list describes them. */
export function blogAuthors(files: SourceFiles, { folder, options }: DocusaurusPart): JsonObject {
  return describedAuthors(
    readList(files, prefixOf(folder) + nameOf(options['authorsMapPath'], 'authors'), []),
  )
}

/** The posts of a blog folder, by the path of their files. */
export function docusaurusBlog(
  files: SourceFiles,
  { folder, base, options }: DocusaurusPart,
  diagnostics: Diagnostic[],
): ReadonlyMap<string, BlogPost> {
  const prefix = prefixOf(folder)
  const authors = readList(files, prefix + nameOf(options['authorsMapPath'], 'authors'), diagnostics)
  const labels = readList(files, prefix + nameOf(options['tags'], 'tags'), diagnostics)
  const posts = new Map<string, BlogPost>()
  for (const path of files.paths) {
    if (!path.startsWith(prefix) || !/\.mdx?$/.test(path)) continue
    const name = path.slice(prefix.length)
    if (!isOwnPage(name, options)) {
      diagnostics.push(diagnostic('QN-HIDDEN-PAGE', path, NO_PAGE))
      continue
    }
    const { fields } = splitSourcePage(files.text(path) ?? '')
    const [, year, month = '', day = '', rest = ''] = POST.exec(name) ?? []
    const date =
      year === undefined ? undefined : [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-')
    const slug = textOf(fields['slug'])?.replace(/^\/+|\/+$/g, '')
    const address = slug ?? [...(date?.split('-') ?? []), rest].join('/')
    posts.set(path, {
      target: {
        route: routeOf(`${base}/${slug ?? rest}`),
        type: fields['unlisted'] === true ? 'page' : 'article',
        originalPath: `/${[base, address].filter((part) => part !== '').join('/')}`,
        ...(fields['unlisted'] === true && { robots: 'noindex' }),
      },
      defaults: {
        ...(date !== undefined && { date }),
        ...authorField(fields['authors'], authors),
      },
      overrides: tagsField(fields['tags'], labels),
    })
  }
  return posts
}

/** The name of a list without its ending. */
function nameOf(given: JsonValue | undefined, usual: string): string {
  return textOf(given)?.replace(/\.(ya?ml|json)$/, '') ?? usual
}

/** The authors or tags of a blog, by key. */
function readList(files: SourceFiles, name: string, diagnostics: Diagnostic[]): JsonObject {
  const path = [`${name}.yml`, `${name}.yaml`, `${name}.json`].find((each) => files.paths.includes(each))
  return path === undefined ? {} : readDataFile(files, path, diagnostics)
}

/** Tags by their labels: the label of `tags.yml` for a key, and the one of the page for others. */
function tagsField(given: JsonValue | undefined, labels: JsonObject): JsonObject {
  if (!Array.isArray(given)) return {}
  const tags = given.map((tag) => {
    const known = typeof tag === 'string' ? labels[tag] : tag
    return isJsonObject(known) ? (textOf(known['label']) ?? tag) : tag
  })
  return { tags }
}

/** The name of the first author who is named by a key. */
function authorField(given: JsonValue | undefined, authors: JsonObject): JsonObject {
  const [first] = [given].flat()
  const known = typeof first === 'string' ? authors[first] : undefined
  return isJsonObject(known) && typeof known['name'] === 'string' ? { author: known['name'] } : {}
}
