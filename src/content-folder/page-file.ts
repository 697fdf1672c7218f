import { blogOf } from '../domain/blog.ts'
import { type Diagnostic, diagnostic, type ParseIssue } from '../domain/diagnostic.ts'
import { isJsonObject, type JsonObject } from '../domain/json.ts'
import { PAGE_TYPES, type PageType } from '../domain/page.ts'
import { type Addressed, readSubroute } from '../domain/route.ts'
import { foldedAddress, readSlug } from '../domain/slug.ts'
import { readTypeFields } from '../fields/page-fields.ts'
import { bodyOf } from '../page-text/front-matter.ts'
import { sectionErrors } from '../sections/validate.ts'
import { fieldError, fieldErrors, fieldPath } from './field-diagnostics.ts'
import { PAGE_FILE } from './file-kind.ts'
import { PAGE_SCHEMAS, type PageFields, readPageFields } from './page-fields.ts'
import type { SitePage } from './site.ts'
import { isParseIssue, readYaml, type TextPosition, type YamlSource } from './yaml-source.ts'

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
}

export interface PageReading {
  readonly file: PageFile | null
  readonly errors: readonly Diagnostic[]
}

/** The default type of the pages in a folder and its subfolders, by the folder's path. */
export type FolderTypes = Readonly<Record<string, PageType>>

/**
 * Parses one page: Markdown with front matter, or YAML or JSON that consists of fields only.
 *
 * @param path of the file, relative to the content folder. Its folder is the default subroute, its name the default slug.
 */
export function readPage(path: string, text: string, types: FolderTypes): PageReading {
  const parts = readParts(path, text)
  const source = parts.fields
  if (isParseIssue(source)) {
    const code = parts.hasFields ? 'QN-BAD-YAML' : 'QN-NO-FRONT-MATTER'
    return refused(diagnostic(code, path, source.message, source))
  }
  if (!isJsonObject(source.value))
    return refused(fieldError('QN-BAD-YAML', path, source, [], 'The file must hold names and values.'))

  const type = typeOf(path, source.value, types)
  const read = readPageFields(type, source.value)
  if ('error' in read) return refused(...fieldErrors(read.error, path, source, PAGE_SCHEMAS[type]))

  const address = addressOf(path, read.fields)
  const errors = [...addressErrors(path, address), ...contentErrors(path, read.fields, source)]
  if (!isWhole(address) || errors.length > 0) return refused(...errors)
  const page = toPageFile(path, read, address, parts.markdown, source)
  return { file: withBlog(page, types), errors: [] }
}

function refused(...errors: Diagnostic[]): PageReading {
  return { file: null, errors }
}

interface PageParts {
  /** False for Markdown without front matter. `fields` holds the reason then. */
  readonly hasFields: boolean
  readonly fields: YamlSource | ParseIssue
  readonly markdown: string
}

/** Splits a page's file into its fields and its Markdown, which stays as written. */
export function readParts(path: string, text: string): PageParts {
  if (path.endsWith('.md')) return splitMarkdown(text)
  return { hasFields: true, fields: readYaml(text, 1), markdown: '' }
}

function splitMarkdown(text: string): PageParts {
  const markdown = bodyOf(text)
  const block = text.slice(0, text.length - markdown.length)
  if (block === '')
    return { hasFields: false, fields: { line: 1, column: 1, message: noFrontMatterReason(text) }, markdown }
  const yaml = block.trimEnd().split('\n').slice(1, -1).join('\n')
  return { hasFields: true, fields: readYaml(yaml, 2), markdown: proseOnly(markdown) }
}

/** Without empty lines before it, except one where a rule comes first: rendering would take it for front matter. */
function proseOnly(markdown: string): string {
  const trimmed = markdown.replace(/^\n+/, '')
  return bodyOf(trimmed) === trimmed ? trimmed : `\n${trimmed}`
}

function noFrontMatterReason(text: string): string {
  if (/^\uFEFF?---[ \t]*\n/.test(text)) return 'The front matter does not end. Close it with a line of "---".'
  if (/^\uFEFF?\+\+\+[ \t]*\n/.test(text))
    return 'Front matter in TOML (+++) is not supported. Write YAML between two lines of "---".'
  return 'The file must begin with front matter between two lines of "---".'
}

/** The type that the page states, else the default of its folder, else `docs` for Markdown and `page` for other files. */
function typeOf(path: string, written: JsonObject, types: FolderTypes): PageType {
  const own = PAGE_TYPES.find((type) => type === written['type'])
  if (own !== undefined) return own
  const folders = Object.keys(types).filter((folder) => foldedAddress(path).startsWith(`${folder}/`))
  const nearest = folders.toSorted((a, b) => b.length - a.length)[0]
  const usual = nearest === undefined ? undefined : types[nearest]
  if (path.endsWith('.md')) return usual ?? 'docs'
  return usual === 'item' ? 'item' : 'page'
}

type Address = { readonly [K in keyof Addressed]: string | null }

function addressOf(path: string, { given }: PageFields): Address {
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
  const name = path.slice(path.lastIndexOf('/') + 1).replace(PAGE_FILE, '')
  return {
    subroute: given.subroute ?? readSubroute(folder, 'wide'),
    slug: given.slug ?? readSlug(name, 'wide'),
  }
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
    .replace(/^[-_.]+|[-_.]+$/g, '')
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
  if (!needsMarkdown || file.endsWith('.md')) return []
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
      ownFields: orEmpty(readTypeFields(fields.type === 'article' ? dated(fields.given) : given)),
      draft: given.draft,
    },
    parent: fields.type === 'docs' ? fields.given.parent : undefined,
    parentPlace: source.placeOf(['parent']),
    redirectPlaces: (given.redirect_from ?? []).map((_, index) => source.placeOf(['redirect_from', index])),
    customFields: custom,
  }
}

/** An article below a folder that `types` names belongs to that folder's blog, which its `config` states. */
function withBlog(file: PageFile, types: FolderTypes): PageFile {
  const { page } = file
  const { subroute, config } = page
  if (page.type !== 'article' || config['blog'] !== undefined) return file
  const above = Object.keys(types).filter(
    (folder) => types[folder] === 'article' && `${subroute}/`.startsWith(`${folder}/`),
  )
  const blog = above.toSorted((a, b) => b.length - a.length)[0]
  if (blog === undefined || blogOf(page, null) === blogOf(page, blog)) return file
  return { ...file, page: { ...page, config: { ...config, blog } } }
}

/** Shares one empty object: most pages would otherwise allocate three. */
function orEmpty<Given extends object>(given: Given): Given {
  return Object.keys(given).length === 0 ? (EMPTY as Given) : given
}

const EMPTY = Object.freeze({})

/** `date` is another name of `publish_date`. */
function dated<Given extends { readonly date?: unknown }>(given: Given): Given {
  return given.date === undefined ? given : { publish_date: given.date, ...given }
}

function configOf({ type, given }: PageFields): JsonObject {
  switch (type) {
    case 'item':
      return given.fields
    case 'article':
      return { ...given.config, ...proseOf(given), ...(given.blog !== undefined && { blog: given.blog }) }
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
