import { join, sep } from 'node:path'
import { performance } from 'node:perf_hooks'
import { createDevHandler, listenOnLoopback } from '../dev/dev-server.ts'
import { createDevSession } from '../dev/dev-session.ts'
import { createDevSite, type DevPorts } from '../dev/dev-site.ts'
import { createRoutes } from '../dev/routes.ts'
import { createSiteAnswers } from '../dev/site-answer.ts'
import { type Watching, watchFolders } from '../dev/watch.ts'
import { PACKAGE_ROOT, THEME_FOLDERS } from '../platform/package-paths.ts'
import { createInProcessRenderer } from '../renderer/in-process.ts'
import { newMasterKey, parseMasterKey } from '../secrets/master-key.ts'
import { compileLimited, compileTemplates, type RenderTemplate } from '../theme/compile-templates.ts'
import { listThemes } from '../theme/list-themes.ts'
import { loadTheme, loadThemes } from '../theme/load-theme.ts'
import { ownThemeFolders, siteThemes } from '../theme/site-themes.ts'
import type { ThemeFile, ThemeFiles } from '../theme/theme-files.ts'

export interface OpenDevRequest {
  readonly folder: string
  /** Instead of the theme that the folder names; null follows the folder. */
  readonly theme: string | null
  /** Folder of a theme that lies elsewhere, which is called like it; null where there is none. */
  readonly themeFolder: string | null
  /** 0 takes any free one. */
  readonly port: number
  readonly tell: (text: string) => void
}

export interface RunningDev {
  /** Where the site is looked at, without a slash at its end. */
  readonly origin: string
  readonly pages: number
  stop(): Promise<void>
}

/**
 * Serve a content folder with what is installed, and follow its changes and those of the themes.
 *
 * @throws what the system raised when it cannot listen.
 */
export async function openDev({
  folder,
  theme,
  themeFolder,
  port,
  tell,
}: OpenDevRequest): Promise<RunningDev> {
  const { server, origin } = await listenOnLoopback(port)
  // Nothing outlives the command that it could seal.
  const masterKey = parseMasterKey(newMasterKey())
  const now = new Date().toISOString()
  const onBug = (error: unknown) =>
    tell(error instanceof Error ? (error.stack ?? error.message) : String(error))

  const dev = createDevSite(
    { folder, theme, origin },
    {
      loadThemes: themeLoader(folder, themeFolder),
      createRenderer: createInProcessRenderer,
      now,
    },
  )
  const session = createDevSession(dev, {
    folder,
    masterKey,
    now,
    tell,
    onBug,
    monotonic: () => performance.now(),
  })
  const site = createSiteAnswers({ folder, session })
  const routes = createRoutes({
    session,
    site,
    files: join(PACKAGE_ROOT, 'templates/dev-tools'),
    fixtures: join(PACKAGE_ROOT, 'templates/section-samples'),
  })
  let begin: () => void = () => {}
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const handle = createDevHandler({ session, routes, onBug })
  // Whoever asks before the first look is answered after it.
  server.on('request', (request, response) => void begun.then(() => handle(request, response)))
  let watching: Watching
  try {
    watching = await watchFolders(
      {
        content: folder,
        themes: [THEME_FOLDERS.themes, siteThemes(folder), ...(themeFolder === null ? [] : [themeFolder])],
      },
      session.changed,
      ({ message }) => tell(`The system does not watch every file: ${message}.`),
    )
  } catch (error) {
    server.close()
    throw error
  }
  const { shown } = await session.begin()
  begin()

  return {
    origin,
    pages: shown?.site.pages.length ?? 0,
    async stop() {
      session.stop()
      await watching.close()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        // Browsers hold on to the stream of events.
        server.closeAllConnections()
      })
    },
  }
}

/** Loads what comes with Quoin, themes of the content folder and the one that is given, and again only what changed. */
function themeLoader(site: string, given: string | null): DevPorts['loadThemes'] {
  const places = [siteThemes(site), ...(given === null ? [] : [given])]

  return async (before, files) => {
    const folders = { ...THEME_FOLDERS, own: await ownThemeFolders(site, given) }
    const isOwn = [...files].every((file) => places.some((place) => file.startsWith(`${place}${sep}`)))
    if (before === null || !isOwn) return loadThemes(folders, compileOwnLimited)
    const listed = await listThemes(folders)
    const themes = listed.map(({ name, folder, isBuiltIn }) => {
      const known = before.get(name)
      const isSame = isBuiltIn || ![...files].some((file) => file.startsWith(`${folder}${sep}`))
      return known !== undefined && isSame ? known : loadTheme(name, folders, compileOwnLimited)
    })
    return new Map((await Promise.all(themes)).map((theme) => [theme.name, theme]))
  }
}

/** What comes with Quoin needs no watch. */
function compileOwnLimited(templates: ThemeFiles): RenderTemplate {
  const { themes, templates: shared } = THEME_FOLDERS
  const isOurs = ({ path }: ThemeFile) => path.startsWith(themes + sep) || path.startsWith(shared + sep)
  const isBuiltIn = [...templates.values()].every(isOurs)
  return isBuiltIn ? compileTemplates(templates) : compileLimited(templates)
}
