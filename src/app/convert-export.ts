import { basename, extname } from 'node:path'
import { convertExport, type ExportConversion } from '../convert/exports/convert-export.ts'
import { exportFolders } from '../convert/exports/export-folders.ts'
import type { ExportedSite, ExportName } from '../convert/exports/exported-site.ts'
import { exportFolder, readExport } from '../convert/exports/read-export.ts'
import { renderMarkdown } from '../render/markdown/render-markdown.ts'

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
  { out, isChecked }: { readonly out: string; readonly isChecked: boolean },
): Promise<ConvertedExport> {
  const site = readExport(path, kind)
  const folder = exportFolder(path)
  const folders = await exportFolders(folder, out, isChecked)
  const name = folder === path ? basename(path) : basename(path, extname(path))
  const conversion = convertExport(site, name, folders, pageHtml)
  return { site, conversion }
}

/** The text of a page as visitors see it. */
function pageHtml(markdown: string): string {
  return renderMarkdown(markdown, { href: (url) => url }).html
}
