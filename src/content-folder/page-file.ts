import { blogOf } from '../domain/blog.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { PAGE_TYPES, type PageType } from '../domain/page.ts'
import { MAX_TITLE_LENGTH } from '../domain/page-limits.ts'
import { type Addressed, publicPath, readSubroute, type SiteRoutes } from '../domain/route.ts'
import { foldedAddress, readSlug } from '../domain/slug.ts'
import { readTypeFields, TYPE_FIELDS } from '../fields/page-fields.ts'
import { firstHeading } from '../page-text/first-heading.ts'
import { humanise } from '../page-text/humanise.ts'
import { sectionErrors } from '../sections/validate.ts'
import { isDescription } from './api-reference.ts'
import { fieldError, fieldErrors, fieldPath } from './field-diagnostics.ts'
import { fileKind, PAGE_FILE } from './file-kind.ts'
import { holdsPage, mayBeDownload } from './page-by-content.ts'
import { type FolderType, PAGE_SCHEMAS, type PageFields, readPageFields } from './page-fields.ts'
import { folderOf, isMarkdownFile, isNotFoundFile, segmentOf } from './page-name.ts'
import { proseOnly, readParts } from './page-parts.ts'
import type { SitePage } from './site.ts'
import { isParseIssue, type TextPosition, type YamlSource } from './yaml-source.ts'

/** A page as its file describes it, before its parent and its links are resolved. */
export interface PageFile {
  readonly page: Omit<SitePage, 'parent' | 'attachments'>
  /** The field `parent`; undefined when the file has none. */
  readonly parent: string | null | undefined
  /** Position of `parent`. */
  readonly parentPlace: TextPosition
  /** Positions of the paths in `redirect_from`, in order. */
  readonly redirectPlaces: readonly TextPosition[]
  /** Names of fields that Quoin does not know. Their values are in the `config` of the page. */
  readonly customFields: readonly string[]
  /** Files that are part of the page's Markdown; absent if there are none. */
  readonly includes?: readonly string[]
}

export interface PageReading {
  /** With errors null, or the last version without any. */
  readonly file: PageFile | null
  readonly errors: readonly Diagnostic[]
  /** False for a `.yaml` or `.json` file that is no page. */
  readonly isPage: boolean
}

/** The default type of the pages in a folder and its subfolders, by the folder's path. */
export type FolderTypes = Readonly<Record<string, FolderType>>

/**
 * Parses one page: Markdown, with or without front matter, or YAML or JSON that consists of fields only.
 *
 * A `.yaml` or `.json` file that neither has a title, sections or a type of pages, nor is in a folder of items, is none.
 *
 * @param path of the file, relative to the content folder. Its folder is the default subroute, its name the default slug.
 */
export function readPage(path: string, text: string, types: FolderTypes): PageReading {
  if (mayBeDownload(path) && isDescription(text)) return { file: null, errors: [], isPage: false }
  const parts = readParts(path, text)
  const source = parts.fields
  const isItem = nearestType(path, types) === 'item'
  if (mayBeDownload(path) && !isItem && !holdsPage(path, text, source))
    return { file: null, errors: [], isPage: false }
  if (isParseIssue(source)) {
    const code = parts.isUnclear ? 'QN-NO-FRONT-MATTER' : 'QN-BAD-YAML'
    return refused(diagnostic(code, path, source.message, source))
  }
  const isMarkdown = isMarkdownFile(path)
  // Front matter may consist of comments.
  const written = isMarkdown ? (source.value ?? {}) : source.value
  if (!isJsonObject(written))
    return refused(fieldError('QN-BAD-YAML', path, source, [], 'The file must hold names and values.'))

  const type = typeOf(path, written, types)
  const named = isMarkdown ? withTitle(path, written, parts.markdown) : { fields: written, markdown: '' }
  const read = readPageFields(type, named.fields, source)
  if ('error' in read) return refused(...fieldErrors(read.error, path, source, PAGE_SCHEMAS[type]))

  const address = addressOf(path, read.fields)
  const errors = [...addressErrors(path, address), ...contentErrors(path, read.fields, source)]
  if (!isWhole(address) || errors.length > 0) return refused(...errors)
  const page = toPageFile(path, read, address, named.markdown, source)
  return { file: withBlog(page, types), errors: [], isPage: true }
}

function refused(...errors: Diagnostic[]): PageReading {
  return { file: null, errors, isPage: true }
}

/** A Markdown page without a title is called by its first heading, which is not shown twice, or by its file. */
function withTitle(
  path: string,
  written: JsonObject,
  markdown: string,
): { readonly fields: JsonObject; readonly markdown: string } {
  if ((written['title'] ?? null) !== null) return { fields: written, markdown }
  const heading = firstHeading(markdown)
  if (heading === null) return { fields: { ...written, title: titleOfName(path) }, markdown }
  const title = shortened(heading.text)
  return { fields: { ...written, title }, markdown: proseOnly(heading.rest) }
}

/** `guides/getting-started.md` is "Getting started", `guides/index.md` is "Guides". */
function titleOfName(path: string): string {
  const segment = segmentOf(path)
  const own = segment.toLowerCase() === 'index' ? folderOf(path).split('/').at(-1) : segment
  const name = (own ?? '').replace(/^\d{4}-\d\d-\d\d-/, '')
  return shortened(humanise(name === '' ? 'home' : name))
}

function shortened(title: string): string {
  const characters = [...title]
  if (characters.length <= MAX_TITLE_LENGTH) return title
  return `${characters
    .slice(0, MAX_TITLE_LENGTH - 1)
    .join('')
    .trimEnd()}…`
}

/** The type that the page states, else the default of its folder, else `docs` for Markdown and `page` for other files. */
function typeOf(path: string, written: JsonObject, types: FolderTypes): PageType {
  const own = PAGE_TYPES.find((type) => type === written['type'])
  if (own !== undefined) return own
  if (isNotFoundFile(path)) return 'page'
  const usual = nearestType(path, types)
  if (isMarkdownFile(path)) return usual ?? 'docs'
  return usual === 'item' ? 'item' : 'page'
}

/** The type that `types` gives the pages of the nearest folder. */
function nearestType(path: string, types: FolderTypes): PageType | undefined {
  const nearest = nearestFolder(foldedAddress(path), Object.keys(types))
  const type = nearest === undefined ? undefined : types[nearest]
  return type === 'changelog' ? 'article' : type
}

/** The deepest of the folders that a path leads through. */
function nearestFolder(path: string, folders: readonly string[]): string | undefined {
  const above = folders.filter((folder) => path.startsWith(`${folder}/`))
  return above.toSorted((a, b) => b.length - a.length)[0]
}

type Address = { readonly [K in keyof Addressed]: string | null }

function addressOf(path: string, { given }: PageFields): Address {
  const { subroute, slug } = usualAddress(path)
  return { subroute: given.subroute ?? subroute, slug: given.slug ?? slug }
}

/** The address of a page that states none. A part is null if the names cannot be an address. */
function usualAddress(path: string): Address {
  const folders = folderOf(path).split('/').map(addressable)
  return {
    subroute: readSubroute(folders.join('/'), 'wide'),
    slug: readSlug(addressable(segmentOf(path)), 'wide'),
  }
}

/** Blanks, and marks around words and numbers of copies: `a (1)`. */
const MARK = String.raw`[ ()[\]{}'"’“”,;!&]`
const AT_ENDS = new RegExp(`^${MARK}+|${MARK}+$`, 'g')
const BETWEEN_WORDS = new RegExp(`-*${MARK}(?:-|${MARK})*`, 'g')

/** The name with hyphens in place of the marks between words. Other characters stay, because `c++` and `c#` differ. */
function addressable(name: string): string {
  return name.replace(AT_ENDS, '').replace(BETWEEN_WORDS, '-')
}

/** The path on the site of the page in a file that states no address, whatever it holds; null if it has none. */
export function usualPath(path: string, routes: SiteRoutes): string | null {
  const address = usualAddress(path)
  return fileKind(path) === 'page' && isWhole(address) ? publicPath(address, routes) : null
}

function isWhole(address: Address): address is Addressed {
  return address.subroute !== null && address.slug !== null
}

const ADDRESS_RULE =
  'letters and digits of any script, "-", "_" and ".", without a "_" at its start or a "." at either end'

function addressErrors(file: string, address: Address): readonly Diagnostic[] {
  const names = file.replace(PAGE_FILE, '').split('/')
  const error = (name: string, field: string, written: string, proposal: string) =>
    diagnostic(
      'QN-BAD-ADDRESS',
      file,
      `The name of the ${name} ${JSON.stringify(written)} cannot be part of an address, which holds ${ADDRESS_RULE}. Rename the ${name}, or write ${proposal === '' ? `a ${field}` : `"${field}: ${proposal}"`} in the page.`,
      { field },
    )
  const [name = ''] = names.slice(-1)
  const folders = names.slice(0, -1)
  const refused = folders.find((folder) => readSubroute(folder, 'wide') === null)
  return [
    ...(address.subroute === null
      ? [error('folder', 'subroute', refused ?? folders.join('/'), folders.map(proposed).join('/'))]
      : []),
    ...(address.slug === null ? [error('file', 'slug', name, proposed(name))] : []),
  ]
}

/** A slug that is like the name of a file; empty if there is none. */
function proposed(name: string): string {
  const slug = foldedAddress(name)
    .replace(/[^\p{L}\p{Nd}\p{Nl}\p{Mn}\p{Mc}_.]+/gu, '-')
    .replace(/^[-_.]+|(?<![-_.])[-_.]+$/g, '')
  return readSlug(slug, 'wide') ?? ''
}

function contentErrors(file: string, { type, given }: PageFields, source: YamlSource): readonly Diagnostic[] {
  if (type === 'page') {
    return sectionErrors(given.sections).map(({ path, message }) => {
      const field = path.replace(/^config\./, '')
      return fieldError('QN-BAD-SECTION', file, source, fieldPath(field), message)
    })
  }
  const needsMarkdown = type === 'article' || type === 'docs'
  if (!needsMarkdown || isMarkdownFile(file)) return []
  return [
    fieldError(
      'QN-BAD-VALUE',
      file,
      source,
      ['type'],
      `must be page or item in this file: a page of type ${type} is a Markdown file.`,
    ),
  ]
}

function toPageFile(
  path: string,
  { fields, custom }: { readonly fields: PageFields; readonly custom: readonly string[] },
  address: Addressed,
  markdown: string,
  source: YamlSource,
): PageFile {
  const { given } = fields
  return {
    page: {
      source: path,
      type: fields.type,
      title: given.title,
      ...address,
      description: given.description,
      ogImageUrl: given.og_image_url,
      meta: orEmpty(given.meta),
      config: orEmpty({
        ...configOf(fields),
        ...(given.layout !== undefined && { layout: given.layout }),
        ...(given.lang !== undefined && { lang: given.lang }),
        ...(given.redirect_from !== undefined && { redirect_from: given.redirect_from }),
      }),
      markdown,
      ownFields: orEmpty(readTypeFields(fields.type === 'article' ? renamed(fields.given) : given)),
      draft: given.draft,
    },
    parent: fields.type === 'docs' ? fields.given.parent : undefined,
    parentPlace: source.placeOf(['parent']),
    redirectPlaces: (given.redirect_from ?? []).map((_, index) => source.placeOf(['redirect_from', index])),
    customFields: custom,
  }
}

/**
 * States the blog of an article in its `config` where its path does not: the nearest folder of articles in `types`.
 * An article of a changelog states its list too.
 */
function withBlog(file: PageFile, types: FolderTypes): PageFile {
  const { page } = file
  const { subroute, config } = page
  if (page.type !== 'article' || config['blog'] !== undefined) return file
  const blogs = Object.keys(types).filter((folder) => isOfArticles(types[folder]))
  const blog = nearestFolder(`${subroute}/`, blogs)
  if (blog === undefined) return file
  const stated = {
    ...(blogOf(page, null) !== blogOf(page, blog) && { blog }),
    ...(types[blog] === 'changelog' && config['list'] === undefined && { list: 'changelog' }),
  }
  return Object.keys(stated).length === 0
    ? file
    : { ...file, page: { ...page, config: { ...config, ...stated } } }
}

function isOfArticles(type: FolderType | undefined): boolean {
  return type === 'article' || type === 'changelog'
}

/** Shares one empty object: most pages would otherwise allocate three. */
function orEmpty<Given extends object>(given: Given): Given {
  return Object.keys(given).length === 0 ? (EMPTY as Given) : given
}

const EMPTY = Object.freeze({})

/** The fields of an article under their names in the API. `date` is another name of `publish_date`. */
function renamed<Given extends { readonly date?: unknown; readonly guid?: unknown }>(given: Given): Given {
  return {
    ...(given.date !== undefined && { publish_date: given.date }),
    ...(given.guid !== undefined && { [TYPE_FIELDS.feedGuid.name]: given.guid }),
    ...given,
  }
}

function configOf({ type, given }: PageFields): JsonObject {
  switch (type) {
    case 'item':
      return given.fields
    case 'article':
      return {
        ...given.config,
        ...proseOf(given),
        ...(given.blog !== undefined && { blog: given.blog }),
        ...(given.series !== undefined && { series: given.series as JsonValue }),
        ...(given.list !== undefined && { list: given.list }),
        ...(given.version !== undefined && { version: given.version }),
      }
    case 'docs':
      return { ...given.config, ...proseOf(given), ...(given.badge !== undefined && { badge: given.badge }) }
    case 'page': {
      const { config, theme, sections } = given
      return { ...config, ...(theme !== undefined && { theme }), ...(sections !== undefined && { sections }) }
    }
  }
}

function proseOf({
  edit_url,
  last_updated,
}: {
  readonly edit_url?: string | undefined
  readonly last_updated?: string | undefined
}): JsonObject {
  return { ...(edit_url !== undefined && { edit_url }), ...(last_updated !== undefined && { last_updated }) }
}
