import type { SiteReading } from '../content-folder/read-site.ts'
import { createSiteReader, type FolderChanges } from '../content-folder/site-reader.ts'
import { diagnostic } from '../domain/diagnostic.ts'
import { messageOf } from '../domain/errors.ts'
import { isSystemError } from '../platform/fs-errors.ts'
import { createSiteMaker, type SiteNow } from '../preview-site/in-memory-site.ts'
import {
  contentDiagnostic,
  type PreviewDiagnostic,
  themeDiagnostic,
} from '../preview-site/preview-diagnostic.ts'
import { createRenderedPages } from '../preview-site/rendered-pages.ts'
import type { Shown, Themes } from '../preview-site/shown-site.ts'
import type { Renderer } from '../renderer/renderer.ts'
import { contentOf } from '../site-build/read-content.ts'
import { ThemeError } from '../theme/theme-error.ts'

export interface DevRequest {
  readonly folder: string
  /** Instead of the theme that the folder names; null follows the folder. */
  readonly theme: string | null
  /** Absolute URL at which the site is looked at, without a slash at its end. */
  readonly origin: string
}

export interface DevPorts {
  /**
   * Every theme there is.
   *
   * @param before as they were loaded last; null for the first time.
   * @param files those that may have changed since, absolute.
   * @throws {ThemeError}
   */
  readonly loadThemes: (before: Themes | null, files: ReadonlySet<string>) => Promise<Themes>
  readonly createRenderer: (themes: Themes) => Renderer
  /** When the command was started, ISO 8601 UTC: nothing else changes from one look to the next. */
  readonly now: string
}

/** What may have changed since the last look. */
export interface Changes {
  readonly content: FolderChanges
  /** Files of themes, absolute. */
  readonly themes: ReadonlySet<string>
}

/** The newest state that a site can be made of. Never changed, but replaced. */
export interface Standing {
  /** Counts the changes. */
  readonly revision: number
  /** Null until there is one without a fault. */
  readonly shown: Shown | null
  /** What keeps newer states from being shown. */
  readonly errors: readonly PreviewDiagnostic[]
}

export type DevSite = ReturnType<typeof createDevSite>

/** A content folder as it is being written: the last state without a fault, and the faults of the newest. */
export function createDevSite({ folder, theme, origin }: DevRequest, ports: DevPorts) {
  const reader = createSiteReader(folder, null)
  const makeSite = createSiteMaker({ origin, now: ports.now })
  const pages = createRenderedPages()
  let standing: Standing = { revision: 0, shown: null, errors: [] }
  let loaded: Pick<Shown, 'themes' | 'renderer'> | null = null
  let made: { readonly of: SiteReading; readonly site: SiteNow } | null = null
  let themeFaults: readonly PreviewDiagnostic[] = []
  /** Changed since themes could be loaded last. */
  let themeFiles: ReadonlySet<string> = new Set()

  return {
    standing: (): Standing => standing,
    lastRendered: pages.last,
    /** Look again. One look at a time. */
    async update({ content, themes }: Changes): Promise<Standing> {
      if (themes.size > 0 || loaded === null) await reloadThemes(themes)
      const reading = await readFolder(content)
      const judged =
        loaded === null ? reading : await contentOf(reading, { folder, theme, drafts: true }, loaded.renderer)
      const contentFaults = await Promise.all(judged.errors.map((fault) => contentDiagnostic(folder, fault)))
      const isWhole = loaded !== null && judged.errors.length === 0
      if (isWhole && made?.of !== reading) made = { of: reading, site: await makeSite(judged.site) }
      const site = made?.site ?? null
      standing = {
        revision: standing.revision + 1,
        shown: loaded === null || site === null ? null : { site, ...loaded },
        errors: [...themeFaults, ...contentFaults],
      }
      return standing
    },
  }

  async function reloadThemes(files: ReadonlySet<string>): Promise<void> {
    themeFiles = new Set([...themeFiles, ...files])
    try {
      const themes = await ports.loadThemes(loaded?.themes ?? null, themeFiles)
      loaded = { themes, renderer: pages.remembering(ports.createRenderer(themes)) }
      themeFiles = new Set()
      themeFaults = []
    } catch (error) {
      themeFaults = [await themeDiagnostic(asThemeError(error), null)]
    }
  }

  /** What the system refuses to read is a fault like others: the next look may find it mended. */
  async function readFolder(changed: FolderChanges): Promise<SiteReading> {
    try {
      return await reader.read(changed)
    } catch (error) {
      if (!isRefusal(error)) throw error
      const errors = [diagnostic('QN-UNREADABLE', '.', messageOf(error))]
      return { site: NO_SITE, errors, outlines: [] }
    }
  }
}

const NO_SITE: SiteReading['site'] = { name: '', origin: null, settings: {}, pages: [], assets: [] }

function asThemeError(error: unknown): ThemeError {
  if (error instanceof ThemeError) return error
  if (!isRefusal(error)) throw error
  return new ThemeError({ file: error.path ?? '.', line: null, message: error.message }, { cause: error })
}

function isRefusal(error: unknown): error is NodeJS.ErrnoException {
  return isSystemError(error)
}
