import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { performance } from 'node:perf_hooks'
import { createDevPictures } from '../dev/dev-pictures.ts'
import { createDevRoutes } from '../dev/dev-routes.ts'
import { createDevHandler, listenOnLoopback } from '../dev/dev-server.ts'
import { createDevSession } from '../dev/dev-session.ts'
import { createDevSite, type DevPorts } from '../dev/dev-site.ts'
import { createSiteResponder } from '../dev/site-responses.ts'
import { type Watcher, watchFolders } from '../dev/watch-folders.ts'
import { createImagePool } from '../images/child-pool.ts'
import { createInProcessImages } from '../images/in-process.ts'
import { IMAGE_CHILD, PACKAGE_ROOT, THEME_FOLDERS } from '../platform/package-paths.ts'
import { createInProcessRenderer } from '../renderer/in-process.ts'
import { newMasterKey, parseMasterKey } from '../secrets/master-key.ts'
import { compileLimited, compileTemplates, type RenderTemplate } from '../theme/compile-templates.ts'
import { listThemes } from '../theme/list-themes.ts'
import { loadTheme, loadThemes } from '../theme/load-theme.ts'
import { customThemeFolders, siteThemes } from '../theme/site-themes.ts'
import { ThemeError } from '../theme/theme-error.ts'
import type { ThemeFile, ThemeFiles } from '../theme/theme-files.ts'
import { untrustedCode } from './trusted-folders.ts'

export interface OpenDevRequest {
  readonly folder: string
  /** Overrides the theme that the folder names; null follows the folder. */
  readonly theme: string | null
  /** Folder of a theme outside the content folder; null for none. */
  readonly themeFolder: string | null
  /** True if templates that appear later may run. Otherwise only templates of trusted folders do. */
  readonly isTrusted: boolean
  /** 0 chooses a free port. */
  readonly port: number
  readonly print: (text: string) => void
}

export interface RunningDev {
  /** URL of the server, without a trailing slash. */
  readonly origin: string
  readonly pages: number
  /** Images without smaller ones, because none can be decoded on this machine. */
  readonly undecoded: number
  stop(): Promise<void>
}

/**
 * Serves a content folder and follows changes to it and to its themes.
 *
 * @throws the system's error if the server cannot listen.
 */
export async function openDev({
  folder,
  theme,
  themeFolder,
  isTrusted,
  port,
  print,
}: OpenDevRequest): Promise<RunningDev> {
  const { server, origin } = await listenOnLoopback(port)
  // Required by the build. In Data Mode it would seal content keys, and the preview stores none.
  const masterKey = parseMasterKey(newMasterKey())
  const now = new Date().toISOString()
  const onBug = (error: unknown) =>
    print(error instanceof Error ? (error.stack ?? error.message) : String(error))

  const cache = await mkdtemp(join(tmpdir(), 'quoin-dev-'))
  const images = createImagePool({ entry: IMAGE_CHILD, size: availableParallelism() })
  const pictures = createDevPictures({ folder, cache, images, headers: createInProcessImages(null) })
  const dev = createDevSite(
    { folder, theme, origin },
    {
      loadThemes: themeLoader(folder, themeFolder, isTrusted),
      createRenderer: createInProcessRenderer,
      pictures,
      now,
    },
  )
  const session = createDevSession(dev, {
    folder,
    masterKey,
    now,
    print,
    onBug,
    monotonic: () => performance.now(),
  })
  const site = createSiteResponder({ folder, session, pictures })
  const routes = createDevRoutes({
    session,
    site,
    toolFiles: join(PACKAGE_ROOT, 'templates/dev-tools'),
    samples: join(PACKAGE_ROOT, 'templates/section-samples'),
    now,
  })
  let start: () => void = () => {}
  const started = new Promise<void>((resolve) => (start = resolve))
  const handle = createDevHandler({ session, routes, onBug })
  // Requests wait for the first reading of the folder.
  server.on('request', (request, response) => void started.then(() => handle(request, response)))
  let watcher: Watcher
  try {
    watcher = await watchFolders(
      {
        content: folder,
        themes: [THEME_FOLDERS.themes, siteThemes(folder), ...(themeFolder === null ? [] : [themeFolder])],
      },
      session.change,
      ({ message }) => print(`Some files cannot be watched: ${message}.`),
    )
  } catch (error) {
    server.close()
    await rm(cache, { recursive: true, force: true })
    throw error
  }
  const { renderable } = await session.start()
  start()

  return {
    origin,
    pages: renderable?.site.pages.length ?? 0,
    undecoded: pictures.undecoded(),
    async stop() {
      session.stop()
      await Promise.all([watcher.close(), images.close()])
      await rm(cache, { recursive: true, force: true })
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        // Browsers keep their event streams open.
        server.closeAllConnections()
      })
    },
  }
}

/** Loads the built-in themes, those of the content folder and the given one. Later calls reload only changed themes. */
function themeLoader(site: string, given: string | null, isTrusted: boolean): DevPorts['loadThemes'] {
  const ownFolders = [siteThemes(site), ...(given === null ? [] : [given])]

  return async (previous, files) => {
    if (!isTrusted) await assertTrustedCode(site, given)
    const folders = { ...THEME_FOLDERS, custom: await customThemeFolders(site, given) }
    const isOwn = [...files].every((file) => ownFolders.some((own) => file.startsWith(`${own}${sep}`)))
    if (previous === null || !isOwn) return loadThemes(folders, compileOwnLimited)
    const listed = await listThemes(folders)
    const themes = listed.map(({ name, folder, isBuiltIn }) => {
      const known = previous.get(name)
      const isSame = isBuiltIn || ![...files].some((file) => file.startsWith(`${folder}${sep}`))
      return known !== undefined && isSame ? known : loadTheme(name, folders, compileOwnLimited)
    })
    return new Map((await Promise.all(themes)).map((theme) => [theme.name, theme]))
  }
}

/** The folder may have got templates since the start. @throws {ThemeError} */
async function assertTrustedCode(site: string, given: string | null): Promise<void> {
  const [file] = (await untrustedCode(site, given))?.files ?? []
  if (file === undefined) return
  throw new ThemeError({
    file,
    line: null,
    message: 'This template is code, and the folder is not trusted. Start quoin dev again with --trust.',
  })
}

/** Built-in templates need no time limit. */
function compileOwnLimited(templates: ThemeFiles): RenderTemplate {
  const { themes, templates: shared } = THEME_FOLDERS
  const isOurs = ({ path }: ThemeFile) => path.startsWith(themes + sep) || path.startsWith(shared + sep)
  const isBuiltIn = [...templates.values()].every(isOurs)
  return isBuiltIn ? compileTemplates(templates) : compileLimited(templates)
}
