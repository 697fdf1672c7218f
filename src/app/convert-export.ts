import { basename, dirname, extname } from 'node:path'
import { convertExport, type ExportConversion } from '../convert/exports/convert-export.ts'
import { exportFolders } from '../convert/exports/export-folders.ts'
import type { ExportedSite, ExportName } from '../convert/exports/exported-site.ts'
import { readExport } from '../convert/exports/read-export.ts'
import { renderMarkdown } from '../render/markdown/render-markdown.ts'

export interface ConvertedExport {
  readonly site: ExportedSite
  readonly conversion: ExportConversion
}

/**
 * Converts an export of WordPress or Ghost, and compares each page with what it shows.
 *
 * @throws {ServiceError} `conflict` when `out` is not empty.
 */
export async function convertExportFile(
  path: string,
  name: ExportName,
  { out, isChecked }: { readonly out: string; readonly isChecked: boolean },
): Promise<ConvertedExport> {
  const site = readExport(path, name)
  const folders = await exportFolders(dirname(path), out, isChecked)
  const conversion = convertExport(site, basename(path, extname(path)), folders, pageHtml)
  return { site, conversion }
}

/** The text of a page as visitors see it. */
function pageHtml(markdown: string): string {
  return renderMarkdown(markdown, { href: (url) => url }).html
}
