import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SITE_FILE } from '../content-folder/file-kind.ts'
import type { Site } from '../content-folder/site.ts'
import type { Diagnostic } from '../domain/diagnostic.ts'

/**
 * What has to happen on the server before it shows a site in a theme of its folder. Empty for a site without one.
 *
 * @param failures what the server refused.
 */
export function themeInstallSteps(
  folder: string,
  { settings }: Pick<Site, 'settings'>,
  failures: readonly Diagnostic[],
): readonly string[] {
  const { theme } = settings
  if (theme === undefined || !existsSync(join(folder, 'themes', theme, 'theme.json'))) return []
  const isRefused = failures.some(({ file, message }) => file === SITE_FILE && /\btheme\b/.test(message))
  const steps = [
    `  cp -r ${join(folder, 'themes', theme)} /etc/quoin/themes/`,
    '  quoin serve --themes /etc/quoin/themes',
  ]
  return isRefused
    ? [
        `The server has no theme ${theme}, so pages keep the theme that they have. Templates are code, so a push does not send them. The operator of the server installs the theme and starts the service again:`,
        ...steps,
        'Then push again. quoin build needs no such step.',
      ]
    : [
        `The server uses its own copy of the theme ${theme}: a push sends no templates. After a change of it, the operator copies it again and restarts the service:`,
        ...steps,
      ]
}
