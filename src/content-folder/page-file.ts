import { isJsonObject, type JsonObject } from '../domain/json.ts'
import { PAGE_TYPES, type PageType } from '../domain/page.ts'
import { type Addressed, readSlug, readSubroute } from '../domain/route.ts'
import { readTypeFields } from '../fields/page-fields.ts'
import { bodyOf } from '../page-text/front-matter.ts'
import { sectionFaults } from '../sections/validate.ts'
import { fieldFault, fieldFaults, fieldPath } from './field-diagnostics.ts'
import { PAGE_SCHEMAS, type PageFields, readPageFields } from './page-fields.ts'
import { withOwnName } from './renamed-fields.ts'
import { NO_PLACE, type SiteFault, type SitePage } from './site.ts'
import { isYamlFault, readYaml, type TextPlace, type YamlFault, type YamlSource } from './yaml-source.ts'

/** A page as its file says it, with its parent still to be found. */
export interface PageFile {
  readonly page: Omit<SitePage, 'parent'>
  /** As written; undefined when nothing was. */
  readonly parent: string | null | undefined
  /** Where a fault about the parent belongs. */
  readonly parentPlace: TextPlace
  /** Where each of the paths is written that are to lead to it. */
  readonly redirectPlaces: readonly TextPlace[]
}

export interface PageReading {
  readonly file: PageFile | null
  readonly faults: readonly SiteFault[]
}

/** The default type of the pages in a folder and beneath it, by the folder's path. */
export type FolderTypes = Readonly<Record<string, PageType>>

const PAGE_FILE = /(\.page)?\.(md|yaml|json)$/

export function isPageFile(path: string): boolean {
  return PAGE_FILE.test(path)
}

/**
 * Reads one page: Markdown with front matter, or YAML or JSON that is all fields.
 *
 * @param path of the file, relative to the content folder: its folder is the subroute, its name the slug.
 */
export function readPage(path: string, text: string, types: FolderTypes): PageReading {
  const parts = readParts(path, text)
  const source = parts.fields
  if (isYamlFault(source)) return refused({ file: path, field: null, ...source })
  if (!isJsonObject(source.value))
    return refused(fieldFault(path, source, [], 'A page is written as names and values.'))

  const type = typeOf(path, source.value, types)
  const read = readPageFields(type, source.value)
  if ('error' in read)
    return refused(
      ...fieldFaults(read.error, path, source, PAGE_SCHEMAS[type]).map((fault) => withOwnName(fault, type)),
    )

  const address = addressOf(path, read.fields)
  const faults = [...addressFaults(path, address), ...contentFaults(path, read.fields, source)]
  if (!isWhole(address) || faults.length > 0) return refused(...faults)
  return { file: toPageFile(path, read.fields, address, parts.markdown, source), faults: [] }
}

function refused(...faults: SiteFault[]): PageReading {
  return { file: null, faults }
}

interface PageParts {
  readonly fields: YamlSource | YamlFault
  readonly markdown: string
}

/** The fields of a page's file and, as it was written, its Markdown. */
export function readParts(path: string, text: string): PageParts {
  return path.endsWith('.md') ? splitMarkdown(text) : { fields: readYaml(text, 1), markdown: '' }
}

function splitMarkdown(text: string): PageParts {
  const markdown = bodyOf(text)
  const block = text.slice(0, text.length - markdown.length)
  if (block === '') {
    return {
      fields: {
        line: 1,
        column: 1,
        message: whyNoFrontMatter(text),
      },
      markdown,
    }
  }
  const yaml = block.trimEnd().split('\n').slice(1, -1).join('\n')
  return { fields: readYaml(yaml, 2), markdown: markdown.replace(/^\n+/, '') }
}

function whyNoFrontMatter(text: string): string {
  if (/^\uFEFF?---[ \t]*\n/.test(text)) return 'The front matter has no end: a line of "---" must close it.'
  if (/^\uFEFF?\+\+\+[ \t]*\n/.test(text))
    return 'Front matter in TOML (+++) is not read: write it as YAML, between two lines of "---".'
  return 'The file must begin with front matter between two lines of "---".'
}

/** What the page says, else what its folder is for, else `docs` for Markdown and `page` for the rest. */
function typeOf(path: string, written: JsonObject, types: FolderTypes): PageType {
  const own = PAGE_TYPES.find((type) => type === written['type'])
  if (own !== undefined) return own
  const folders = Object.keys(types).filter((folder) => path.toLowerCase().startsWith(`${folder}/`))
  const nearest = folders.toSorted((a, b) => b.length - a.length)[0]
  const usual = nearest === undefined ? undefined : types[nearest]
  if (path.endsWith('.md')) return usual ?? 'docs'
  return usual === 'item' ? 'item' : 'page'
}

type Address = { readonly [K in keyof Addressed]: string | null }

function addressOf(path: string, { given }: PageFields): Address {
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
  const name = path.slice(path.lastIndexOf('/') + 1).replace(PAGE_FILE, '')
  return { subroute: given.subroute ?? readSubroute(folder), slug: given.slug ?? readSlug(name) }
}

function isWhole(address: Address): address is Addressed {
  return address.subroute !== null && address.slug !== null
}

function addressFaults(file: string, { subroute, slug }: Address): readonly SiteFault[] {
  const rename = 'only letters, digits and hyphens make an address. Rename it, or write a'
  return [
    ...(subroute === null
      ? [{ file, ...NO_PLACE, field: 'subroute', message: `cannot be the folder: ${rename} subroute.` }]
      : []),
    ...(slug === null
      ? [{ file, ...NO_PLACE, field: 'slug', message: `cannot be the name of the file: ${rename} slug.` }]
      : []),
  ]
}

function contentFaults(file: string, { type, given }: PageFields, source: YamlSource): readonly SiteFault[] {
  if (type === 'page') {
    return sectionFaults(given.sections).map(({ path, message }) => {
      const field = path.replace(/^config\./, '')
      return fieldFault(file, source, fieldPath(field), message)
    })
  }
  const needsMarkdown = type === 'article' || type === 'docs'
  if (!needsMarkdown || file.endsWith('.md')) return []
  return [
    fieldFault(file, source, ['type'], `must be page or item here: an ${type} page is written as Markdown.`),
  ]
}

function toPageFile(
  path: string,
  fields: PageFields,
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
      meta: orNothing(given.meta),
      config: orNothing({
        ...configOf(fields),
        ...(given.lang !== undefined && { lang: given.lang }),
        ...(given.redirect_from !== undefined && { redirect_from: given.redirect_from }),
      }),
      markdown,
      ownFields: orNothing(readTypeFields(given)),
      draft: given.draft,
    },
    parent: fields.type === 'docs' ? fields.given.parent : undefined,
    parentPlace: source.placeOf(['parent']),
    redirectPlaces: (given.redirect_from ?? []).map((_, index) => source.placeOf(['redirect_from', index])),
  }
}

/** What says nothing is the same object for all pages, of which most have three of these. */
function orNothing<Given extends object>(given: Given): Given {
  return Object.keys(given).length === 0 ? (NOTHING as Given) : given
}

const NOTHING = Object.freeze({})

function configOf({ type, given }: PageFields): JsonObject {
  switch (type) {
    case 'item':
      return given.fields
    case 'article':
      return { ...given.config, ...proseOf(given) }
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
