import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SITE_FILE } from '../content-folder/file-kind.ts'
import type { Site } from '../content-folder/site.ts'
import type { Diagnostic } from '../domain/diagnostic.ts'
import { ownTheme } from '../domain/page.ts'

/**
 * The steps on the server before it shows pages in themes of the folder. Empty for a site that uses none.
 *
 * @param failures rejections of the server.
 */
export function themeInstallSteps(
  folder: string,
  site: Pick<Site, 'settings' | 'pages'>,
  failures: readonly Diagnostic[],
): readonly string[] {
  const uses = usesOfThemes(site).filter(({ theme }) =>
    existsSync(join(folder, 'themes', theme, 'theme.json')),
  )
  const isRefused = (use: ThemeUse) =>
    failures.some(({ file, field }) => file === use.file && field === use.field)
  const missing = new Set(uses.filter(isRefused).map(({ theme }) => theme))
  const present = new Set(uses.map(({ theme }) => theme).filter((theme) => !missing.has(theme)))
  return [
    ...[...missing].flatMap((theme) => [
      `The server has no theme ${theme}, so pages keep the theme that they have. Templates are code, so a push does not send them. The operator of the server installs the theme and starts the service again:`,
      ...stepsFor(folder, theme),
      'Then push again. quoin build needs no such step.',
    ]),
    ...[...present].flatMap((theme) => [
      `The server uses its own copy of the theme ${theme}: a push sends no templates. After a change of it, the operator copies it again and restarts the service:`,
      ...stepsFor(folder, theme),
    ]),
  ]
}

/** A field that names a theme. */
interface ThemeUse {
  readonly theme: string
  readonly file: string
  readonly field: string
}

function usesOfThemes({ settings: { theme }, pages }: Pick<Site, 'settings' | 'pages'>): readonly ThemeUse[] {
  return [
    ...(theme === undefined ? [] : [{ theme, file: SITE_FILE, field: 'theme' }]),
    ...pages.flatMap((page) => {
      const own = ownTheme(page)
      return own === null ? [] : [{ theme: own, file: page.source, field: 'config.theme' }]
    }),
  ]
}

function stepsFor(folder: string, theme: string): readonly string[] {
  return [
    `  cp -r ${join(folder, 'themes', theme)} /etc/quoin/themes/`,
    '  quoin serve --themes /etc/quoin/themes',
  ]
}
