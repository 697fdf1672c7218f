import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import { parseUrl } from '../../domain/parse-url.ts'
import type { ExportedSite } from './exported-site.ts'

/** Diagnostics for files that are still on the source site, with the steps to keep them. */
export function remoteFiles(
  { file, imageHosts }: Pick<ExportedSite, 'file' | 'imageHosts'>,
  remote: ReadonlyMap<string, string | null>,
): readonly Diagnostic[] {
  if (remote.size === 0) return []
  const [[first = '', address = null] = []] = remote
  const folder = /^(?:wp-content\/uploads|content\/[^/]+)/.exec(first)?.[0] ?? first.split('/')[0] ?? ''
  const count = remote.size === 1 ? '1 file is' : `${remote.size} files are`
  const where =
    address === null ? 'not part of the export' : `loaded from ${parseUrl(address)?.origin ?? address}`
  const load = address === null ? 'name the site with --site and use --fetch' : 'use --fetch'
  // A service that holds pictures for its sites has no folder of them.
  const steps =
    imageHosts === undefined
      ? `Put the folder ${folder} of the site next to the export, with its path, and convert again, or ${load}`
      : `To keep them, ${load}`
  const message = `${count} ${where}, such as ${first}. ${steps}.`
  return [diagnostic('QN-PARTLY-CONVERTED', file, message)]
}
