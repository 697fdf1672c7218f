import { basename, extname } from 'node:path'
import { convertExport, type ExportConversion } from '../convert/exports/convert-export.ts'
import { exportFolders, isPlainPath } from '../convert/exports/export-folders.ts'
import type { ExportedSite, ExportName } from '../convert/exports/exported-site.ts'
import { exportFolder, readExport } from '../convert/exports/read-export.ts'
import { createFolder } from '../convert/write-conversion.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { renderMarkdown } from '../render/markdown/render-markdown.ts'
import { type FetchFailures, type FileRequest, fetchFiles } from './fetch-files.ts'

export type FetchOptions = Omit<FileRequest, 'urls'>

export interface ExportOptions {
  /** The new folder. */
  readonly out: string
  /** Compares both sides, and writes and loads nothing. */
  readonly isChecked: boolean
  /** The address of the source site without a slash at its end. Null for that of the export. */
  readonly url: string | null
  /** The folder for files of the source site that are not next to the export. Null leaves them where they are. */
  readonly files: FetchOptions | null
}

export interface ConvertedExport {
  readonly site: ExportedSite
  readonly conversion: ExportConversion
}

/**
 * Converts an export, and compares each page with what it shows.
 *
 * @throws {ServiceError} `conflict` when `out` is not empty.
 */
export async function convertExportFile(
  path: string,
  kind: ExportName,
  { out, isChecked, url, files }: ExportOptions,
): Promise<ConvertedExport> {
  const read = readExport(path, kind)
  const site = url === null ? read : { ...read, url }
  const folder = exportFolder(path)
  const name = folder === path ? basename(path) : basename(path, extname(path))
  const sources = [folder, ...(files === null ? [] : [files.folder])]
  const convert = (isTried: boolean) =>
    convertExport(site, name, exportFolders(sources, out, isTried), pageHtml)
  // A folder with files is refused before anything is loaded.
  if (!isChecked) await createFolder(out)
  const failures = files === null || isChecked ? new Map() : await loaded(convert(true).remote, files)
  const conversion = convert(isChecked)
  const diagnostics = [...conversion.diagnostics, ...missingFiles(site.file, failures)]
  return { site, conversion: { ...conversion, diagnostics } }
}

function loaded(remote: ExportConversion['remote'], files: FetchOptions): Promise<FetchFailures> {
  const urls = [...remote].flatMap(([path, url]): [string, string][] =>
    url === null || !isPlainPath(path) ? [] : [[path, url]],
  )
  return fetchFiles({ urls: new Map(urls), ...files })
}

function missingFiles(file: string, failures: FetchFailures): readonly Diagnostic[] {
  const [first] = failures
  if (first === undefined) return []
  const [path, reason] = first
  const count = failures.size === 1 ? '1 file was' : `${failures.size} files were`
  return [diagnostic('QN-PARTLY-CONVERTED', file, `${count} not loaded, such as ${path}: ${reason}`)]
}

/** The text of a page as visitors see it. */
function pageHtml(markdown: string): string {
  return renderMarkdown(markdown, { href: (url) => url }).html
}
