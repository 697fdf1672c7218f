import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Site } from '../content-folder/site.ts'
import type { Diagnostic } from '../domain/diagnostic.ts'
import { futureArticles } from '../push/future-articles.ts'

/** A content folder with its errors and warnings. */
export interface CheckedFolder {
  /** Without the files that have errors. */
  readonly site: Site
  /** Publish times of articles with a date in the future, ISO 8601 UTC by file. None with `future`. */
  readonly held: ReadonlyMap<string, string>
  readonly errors: readonly Diagnostic[]
  /** None if there are errors. */
  readonly warnings: readonly Diagnostic[]
}

/**
 * Reads the folder and, if it has no errors, builds it into a temporary one. The build reads it again. Reports the
 * diagnostics of a build, such as dead links, missing files and removed HTML.
 *
 * Templates of the folder are code and do not run. Pages in a theme that is not built in are rendered in the default
 * theme, so diagnostics of their own theme are missing. Images are not read: a server reads them when it receives them,
 * and deriving them takes long.
 *
 * @param future whether articles with a date in the future are published. Otherwise they are drafts until then.
 */
export async function checkFolder(folder: string, future: boolean): Promise<CheckedFolder> {
  const { readSite } = await import('../content-folder/read-site.ts')
  const { site: read, errors } = await readSite(folder)
  const held = future ? new Map<string, string>() : futureArticles(read, new Date().toISOString())
  const pages = read.pages.map((page) => (held.has(page.source) ? { ...page, draft: true } : page))
  const site = { ...read, pages }
  if (errors.length > 0) return { site, held, errors, warnings: [] }
  const { build } = await import('../app/build.ts')
  const temporary = await mkdtemp(join(tmpdir(), 'quoin-check-'))
  try {
    const request = {
      folder,
      out: join(temporary, 'site'),
      theme: null,
      builtInThemesOnly: true,
      picturesAsTheyAre: true,
      origin: null,
      drafts: false,
      future,
      contentKey: null,
    }
    const result = await build(request, null, () => {})
    return 'errors' in result
      ? { site, held, errors: result.errors, warnings: [] }
      : { site, held, errors: [], warnings: await withoutSections(site, result.report.warnings) }
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** Without warnings about section types that the theme of a page may have. */
async function withoutSections(site: Site, warnings: readonly Diagnostic[]): Promise<readonly Diagnostic[]> {
  const { pagesInOtherThemes } = await import('../site-build/built-in-themes.ts')
  const { listThemes } = await import('../theme/list-themes.ts')
  const { THEME_FOLDERS } = await import('../platform/package-paths.ts')
  const builtIn = (await listThemes(THEME_FOLDERS)).map(({ name }) => name)
  const others = pagesInOtherThemes(site, builtIn)
  return warnings.filter(({ code, file }) => code !== 'QN-UNKNOWN-SECTION' || !others.has(file))
}
