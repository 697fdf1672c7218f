import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Site } from '../content-folder/site.ts'
import { byPosition, type Diagnostic } from '../domain/diagnostic.ts'
import type { PushWarning } from '../push/push-diagnostic.ts'
import { type DiagnosticFlags, diagnosticLines } from './diagnostic-format.ts'
import { count } from './format-numbers.ts'

/** Adds positions in the content folder to warnings of the server, and sorts them by position. */
export async function locateWarnings(
  folder: string,
  site: Site,
  warnings: readonly PushWarning[],
): Promise<readonly Diagnostic[]> {
  if (warnings.length === 0) return []
  // Loaded on demand: most pushes have no warnings.
  const { locateWarning } = await import('../site-build/diagnostics.ts')
  const { lineFinder } = await import('../site-build/line-finder.ts')
  const { addressesOf, linksResolved } = await import('../content-folder/file-links.ts')
  const { textWithMediaNames } = await import('../push/media-names.ts')
  const { pages, assets, settings } = site
  const bySource = new Map(pages.map((page) => [page.source, page]))
  const addresses = addressesOf(pages, assets, settings.siteRoutes ?? {})
  const located: Diagnostic[] = []
  for (const file of new Set(warnings.map(({ file }) => file))) {
    const page = bySource.get(file)
    const text = page?.generatedFrom === undefined ? await readFile(join(folder, file), 'utf8') : ''
    const onSite = linksResolved(text, file, addresses)
    const sent = page === undefined ? onSite : textWithMediaNames(onSite, page, site)
    const lineOf = lineFinder(file, sent)
    for (const warning of warnings.filter((warning) => warning.file === file))
      located.push(locateWarning(file, warning, lineOf))
  }
  return located.sort(byPosition)
}

export function warningLines(
  {
    warnings,
    folder,
    unlisted,
  }: {
    readonly warnings: readonly Diagnostic[]
    readonly folder: string
    /** Number of warnings that the server does not list. */
    readonly unlisted: number
  },
  flags: Pick<DiagnosticFlags, 'format'>,
): readonly string[] {
  return [
    ...diagnosticLines(warnings, folder, flags),
    ...(unlisted === 0 ? [] : [`And ${count(unlisted, 'more warning')}, which the server does not list.`]),
  ]
}

/** A suffix for the summary; empty without warnings. */
export function warningSuffix(all: number): string {
  return all === 0 ? '' : `, ${count(all, 'warning')}`
}
