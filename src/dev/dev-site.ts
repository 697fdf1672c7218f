import { isAssetFile } from '../content-folder/asset-file.ts'
import { DATA_FOLDER } from '../content-folder/data-files.ts'
import { SITE_FILE } from '../content-folder/file-kind.ts'
import type { SiteReading } from '../content-folder/read-site.ts'
import type { Site } from '../content-folder/site.ts'
import { createSiteReader, type FolderChanges } from '../content-folder/site-reader.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { messageOf } from '../domain/errors.ts'
import { DEFAULT_SETTINGS } from '../domain/settings.ts'
import { isSystemError } from '../platform/fs-errors.ts'
import { createSiteBuilder, type InMemorySite } from '../preview-site/in-memory-site.ts'
import {
  contentDiagnostic,
  type PreviewDiagnostic,
  themeDiagnostic,
} from '../preview-site/preview-diagnostic.ts'
import { createRenderCache } from '../preview-site/render-cache.ts'
import type { RenderableSite, Themes } from '../preview-site/renderable-site.ts'
import type { Renderer } from '../renderer/renderer.ts'
import { contentOf } from '../site-build/read-content.ts'
import { ThemeError } from '../theme/theme-error.ts'
import type { DevPictures } from './dev-pictures.ts'

export interface DevRequest {
  readonly folder: string
  /** Overrides the theme that the folder names; null follows the folder. */
  readonly theme: string | null
  /** Absolute URL of the dev server, without a trailing slash. */
  readonly origin: string
}

export interface DevPorts {
  /**
   * Loads all themes.
   *
   * @param previous the themes of the last call; null the first time.
   * @param files absolute paths of files that may have changed since.
   * @throws {ThemeError}
   */
  readonly loadThemes: (previous: Themes | null, files: ReadonlySet<string>) => Promise<Themes>
  readonly createRenderer: (themes: Themes) => Renderer
  /** Absent: images are shown unchanged. */
  readonly pictures?: Pick<DevPictures, 'media'>
  /** Time at which the command started, ISO 8601 UTC. It stays the same, so that unchanged pages stay the same. */
  readonly now: string
}

export interface Changes {
  readonly content: FolderChanges
  /** Absolute paths of theme files that may have changed. */
  readonly themes: ReadonlySet<string>
}

/** An immutable state of the site. Each update replaces it. */
export interface SiteState {
  /** Counts the updates. */
  readonly revision: number
  /** The last state without errors of the whole site; null until there is one. */
  readonly renderable: RenderableSite | null
  /** Errors that concern all pages: of `site.yaml`, data and themes. While there are some, no other change is shown. */
  readonly errors: readonly PreviewDiagnostic[]
  /** Errors of single files. Such a page is shown in its last version without errors, if there is one. */
  readonly faults: readonly PreviewDiagnostic[]
  /** Warnings about the current files, apart from those of rendering. */
  readonly warnings: readonly Diagnostic[]
}

export type DevSite = ReturnType<typeof createDevSite>

/** A content folder that is being edited: its last state without errors, and the errors of its current files. */
export function createDevSite({ folder, theme, origin }: DevRequest, ports: DevPorts) {
  const reader = createSiteReader(folder, null)
  const buildSite = createSiteBuilder({ origin, now: ports.now })
  const cache = createRenderCache()
  let state: SiteState = { revision: 0, renderable: null, errors: [], faults: [], warnings: [] }
  let loaded: Pick<RenderableSite, 'themes' | 'renderer'> | null = null
  let built: { readonly reading: SiteReading; readonly site: InMemorySite } | null = null
  let themeErrors: readonly PreviewDiagnostic[] = []
  /** Theme files that changed since themes were loaded without an error. */
  let themeFiles: ReadonlySet<string> = new Set()

  return {
    state: (): SiteState => state,
    lastRendered: cache.last,
    /** Reads changed files. Callers await one call before the next. */
    async update({ content, themes }: Changes): Promise<SiteState> {
      if (themes.size > 0 || loaded === null) await reloadThemes(themes)
      const reading = await readFolder(content)
      const checked =
        loaded === null
          ? reading
          : await contentOf(
              reading,
              { folder, theme, drafts: true, future: true },
              loaded.renderer,
              ports.now,
            )
      const framed = await Promise.all(checked.errors.map((error) => contentDiagnostic(folder, error)))
      const isShared = ({ file }: Diagnostic) => isOfAllPages(file, checked)
      const isValid = loaded !== null && !checked.errors.some(isShared)
      const isOther = built?.reading !== reading || [...content.files].some(isAssetFile)
      if (isValid && isOther) built = { reading, site: await buildSite(await withPictures(checked.site)) }
      const site = built?.site ?? null
      state = {
        revision: state.revision + 1,
        renderable: loaded === null || site === null ? null : { site, ...loaded },
        errors: [...themeErrors, ...framed.filter(isShared)],
        faults: framed.filter((error) => !isShared(error)),
        warnings: checked.warnings,
      }
      return state
    },
  }

  async function withPictures(site: Site): Promise<Site> {
    if (ports.pictures === undefined) return site
    const settings = { ...DEFAULT_SETTINGS, ...site.settings }
    return { ...site, media: await ports.pictures.media(site.assets, settings) }
  }

  async function reloadThemes(files: ReadonlySet<string>): Promise<void> {
    themeFiles = new Set([...themeFiles, ...files])
    try {
      const themes = await ports.loadThemes(loaded?.themes ?? null, themeFiles)
      loaded = { themes, renderer: cache.caching(ports.createRenderer(themes)) }
      themeFiles = new Set()
      themeErrors = []
    } catch (error) {
      themeErrors = [await themeDiagnostic(asThemeError(error), null)]
    }
  }

  /** Reports an error of the file system as an error of the folder: it may be temporary. */
  async function readFolder(changed: FolderChanges): Promise<SiteReading> {
    try {
      return await reader.read(changed)
    } catch (error) {
      if (!isSystemError(error)) throw error
      const errors = [diagnostic('QN-UNREADABLE', '.', messageOf(error))]
      return {
        site: EMPTY_SITE,
        errors,
        warnings: [],
        unused: [],
        references: [],
        outlines: [],
        dataFiles: [],
      }
    }
  }
}

const EMPTY_SITE: SiteReading['site'] = { name: '', origin: null, settings: {}, pages: [], assets: [] }

function isOfAllPages(file: string, { dataFiles }: SiteReading): boolean {
  return ['.', SITE_FILE, DATA_FOLDER, ...dataFiles].includes(file)
}

function asThemeError(error: unknown): ThemeError {
  if (error instanceof ThemeError) return error
  if (!isSystemError(error)) throw error
  return new ThemeError({ file: error.path ?? '.', line: null, message: error.message }, { cause: error })
}
