import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import type { ExportedSite } from './exported-site.ts'

/** Diagnostics for files that are still on the source site, with the steps to keep them. */
export function remoteFiles(
  { file, url }: Pick<ExportedSite, 'file' | 'url'>,
  remote: ReadonlySet<string>,
): readonly Diagnostic[] {
  if (remote.size === 0) return []
  const [first = ''] = remote
  const folder = /^(?:wp-content\/uploads|content\/[^/]+)/.exec(first)?.[0] ?? first.split('/')[0] ?? ''
  const count = remote.size === 1 ? '1 file is' : `${remote.size} files are`
  const where = url === null ? 'not part of the export' : `loaded from ${url}`
  const message = `${count} ${where}, such as ${first}. Put the folder ${folder} of the site next to the export, with its path, and convert again.`
  return [diagnostic('QN-PARTLY-CONVERTED', file, message)]
}
