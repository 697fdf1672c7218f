import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { expandIncludes, type IncludeSources, mayInclude } from '../page-text/includes.ts'
import { mapLinks } from '../page-text/map-links.ts'
import { mapProse } from '../page-text/map-prose.ts'
import { linkedFile } from './file-links.ts'
import { folderOf, isMarkdownFile } from './page-name.ts'

/** Texts that pages include are here. They are neither pages nor published. */
export const INCLUDES_FOLDER = '_includes/'

/** Bytes of a file that a page includes. */
const MAX_INCLUDED_BYTES = 1024 * 1024
/** Reported errors of one page. */
const MAX_FAULTS = 100

export function isIncludeFile(path: string): boolean {
  return path.startsWith(INCLUDES_FOLDER)
}

/** Reports whether the file is a page that may include other texts. */
export function mayIncludeOthers(path: string, text: string): boolean {
  return isMarkdownFile(path) && mayInclude(text)
}

/** The files of a folder, and its pages by their paths on the site. */
export interface IncludableFiles {
  readonly files: ReadonlySet<string>
  /** The file of a page. */
  readonly pageAt: (path: string) => string | undefined
  /** The text of a file. Null if it is not UTF-8, undefined if the file no longer exists. */
  readonly textOf: (path: string) => string | null | undefined
  readonly bytesOf: (path: string) => number
}

export interface WithIncludes {
  readonly text: string
  /** The files that are part of it. */
  readonly included: readonly string[]
  readonly errors: readonly Diagnostic[]
}

/** The text of a page with what it includes. Reads nothing but files of the folder that are listed. */
export function withIncludes(path: string, text: string, folder: IncludableFiles): WithIncludes {
  const { text: whole, included, faults } = expandIncludes(path, text, sourcesIn(folder))
  return {
    text: whole,
    included,
    errors: faults
      .slice(0, MAX_FAULTS)
      .map(({ code, line, message }) => diagnostic(code, path, message, { line })),
  }
}

function sourcesIn({ files, pageAt, textOf, bytesOf }: IncludableFiles): IncludeSources {
  return { file, page, links }

  function file(written: string, from: string) {
    const path = linkedFile(written, from)
    if (path === null) return `${written} is no path of a file in the folder.`
    return read(path)
  }

  function page(written: string, from: string) {
    const asFile = linkedFile(written, from)
    const path = pageAt(written.replace(/(?<=.)\/$/, '')) ?? asFile
    if (path === null || !files.has(path) || !isMarkdownFile(path))
      return `there is no Markdown page ${written}. Write its path on the site, such as /docs/a, or that of its file.`
    return read(path)
  }

  function read(path: string) {
    if (!files.has(path)) return `the folder has no file ${path}, or it is left out by ignore.`
    if (bytesOf(path) > MAX_INCLUDED_BYTES)
      return `${path} is larger than ${MAX_INCLUDED_BYTES / 1024 / 1024} MiB.`
    const text = textOf(path)
    return typeof text === 'string' ? { name: path, text } : `${path} is not UTF-8 text.`
  }

  /** Links to files of the folder lead from another folder now. */
  function links(text: string, from: string, into: string): string {
    if (folderOf(from) === folderOf(into)) return text
    const mapped = (target: string) => {
      const linked = target.startsWith('/') ? null : linkedFile(target, from)
      if (linked === null || !files.has(linked)) return target
      return `/${encodeURI(linked)}${/[?#].*$/s.exec(target)?.[0] ?? ''}`
    }
    return mapProse(text, (prose) => mapLinks(prose, mapped))
  }
}
