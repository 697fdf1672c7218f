import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { readDescription } from '../openapi/read-description.ts'
import { type ReferencePages, referencePages } from '../openapi/reference-pages.ts'
import { mapOutsideFences } from '../page-text/map-prose.ts'
import { readAttributes } from '../page-text/player-directive.ts'
import { linkedFile } from './file-links.ts'
import { folderOf, isIndexFile, isMarkdownFile } from './page-name.ts'

/*
 * `::openapi{file="api.yaml"}` in the index page of a folder: the line becomes the overview of the API, and the folder
 * gets a page for each of its tags and operations, as if their files existed.
 */

const DIRECTIVE = /^::openapi(?:\{([^{}\n]*)\})?[ \t]*$/gm

/** A quick test that every text with the directive passes. */
export function mayHoldReference(path: string, text: string): boolean {
  return text.includes('::openapi') && isMarkdownFile(path)
}

/** The pages of a description, or why there are none. */
export type ReferenceReading = ReferencePages | { readonly errors: readonly Diagnostic[] }

/** Reads a description. @param file that errors name. */
export function readReference(file: string, text: string): ReferenceReading {
  const { document, errors } = readDescription(text, file)
  if (document === null) return { errors }
  const pages = referencePages(document)
  return typeof pages === 'string' ? { errors: [diagnostic('QN-BAD-OPENAPI', file, pages)] } : pages
}

export interface ExpandedPage {
  /** The text of the page with the overview in place of the directive. */
  readonly text: string
  /** The text with a sign in place of the directive, for `putReference`. */
  readonly marked: string
  /** The overview. */
  readonly index: string
  /** Texts of the pages below it, by path. */
  readonly pages: ReadonlyMap<string, string>
  /** The file of the description; null if there is none. */
  readonly from: string | null
  readonly errors: readonly Diagnostic[]
}

/**
 * Puts the reference in place of the directive of a page.
 *
 * @param textOf null for a file that is not UTF-8, undefined for a missing one.
 * @returns null for a page without the directive.
 */
export function expandReference(
  path: string,
  text: string,
  textOf: (path: string) => string | null | undefined,
  read: (file: string, text: string) => ReferenceReading,
): ExpandedPage | null {
  const found: { readonly attributes: string; readonly line: number }[] = []
  mapOutsideFences(text, (prose, line) => {
    for (const { 1: attributes = '', index } of prose.matchAll(DIRECTIVE))
      found.push({ attributes, line: line + prose.slice(0, index).split('\n').length })
    return prose
  })
  const [first] = found
  if (first === undefined) return null
  const refuse = (message: string): ExpandedPage => ({
    text: replaced(text, ''),
    marked: replaced(text, ''),
    index: '',
    pages: new Map(),
    from: null,
    errors: [diagnostic('QN-BAD-OPENAPI', path, message, { line: first.line })],
  })
  if (!isIndexFile(path))
    return refuse('::openapi belongs in the index.md of a folder, because it adds pages to the folder.')
  if (found.length > 1)
    return refuse('A page can hold one ::openapi only. Put each API in a folder of its own.')
  const attributes = readAttributes(first.attributes)
  const other = attributes.find(({ name }) => name !== 'file')
  const written = attributes.find(({ name }) => name === 'file')?.value ?? ''
  const file = linkedFile(written, path)
  if (other !== undefined || written === '')
    return refuse('::openapi names a description: ::openapi{file="api.yaml"}. It has no other attributes.')
  if (file === null)
    return refuse(
      '::openapi names a file of the folder. Download a description that is elsewhere, or run quoin openapi with its address.',
    )
  const description = textOf(file)
  if (description === undefined) return refuse(`${file} does not exist in the folder.`)
  if (description === null) return refuse(`${file} is not UTF-8 text.`)
  const reading = read(file, description)
  if ('errors' in reading) return { ...refuse(''), errors: reading.errors }
  const folder = folderOf(path)
  const pages = [...reading.pages].map(
    ([name, page]) => [folder === '' ? name : `${folder}/${name}`, page] as const,
  )
  return {
    text: replaced(text, reading.index),
    marked: replaced(text, PLACE),
    index: reading.index,
    pages: new Map(pages),
    from: file,
    errors: [],
  }
}

/** A noncharacter of Unicode, which texts do not have. */
const PLACE = '\uffff'

/** The text of a page whose includes were expanded, with the overview in its place: texts of an API include nothing. */
export function putReference(marked: string, index: string): string {
  return marked.replace(PLACE, () => index)
}

function replaced(text: string, index: string): string {
  return mapOutsideFences(text, (prose) => prose.replace(DIRECTIVE, () => index))
}

/** A line that may come before the first field: empty, a comment, or the start of a YAML document. */
const LINE_BEFORE = /[ \t]*(?:---[ \t]*)?(?:[#%].*)?(?:\r\n?|\n)/y
const FIRST_FIELD = /\s*(?:\{\s*)?["']?openapi["']?\s*:\s*["']?3\./y

/** Reports whether a file begins as a description does. Its title is the title of an API, not of a page. */
export function isDescription(text: string): boolean {
  let start = 0
  // Line by line: one expression for all of them would try each line again for those after it.
  for (LINE_BEFORE.lastIndex = 0; LINE_BEFORE.test(text); ) start = LINE_BEFORE.lastIndex
  FIRST_FIELD.lastIndex = start
  return FIRST_FIELD.test(text)
}
