import { basename, dirname, join } from 'node:path'
import { PACKAGE_ROOT, THEME_FOLDERS } from '../platform/package-paths.ts'
import { createInProcessRenderer } from '../renderer/in-process.ts'
import { readTheme } from '../theme/load-theme.ts'
import { ThemeError } from '../theme/theme-error.ts'
import { checkTheme, type ThemeCheck, themeErrorDiagnostic } from '../theme-check/check-theme.ts'
import { readOwnFiles } from '../theme-check/own-files.ts'

/** Checks the theme in a folder. @param folder absolute. */
export async function runThemeCheck(folder: string): Promise<ThemeCheck> {
  const isBuiltIn = dirname(folder) === THEME_FOLDERS.themes
  try {
    const parts = await readTheme(basename(folder), { ...THEME_FOLDERS, custom: isBuiltIn ? [] : [folder] })
    return await checkTheme(parts, await readOwnFiles(folder), {
      createRenderer: createInProcessRenderer,
      site: join(PACKAGE_ROOT, 'templates/theme-check-site'),
      sections: join(PACKAGE_ROOT, 'templates/section-samples'),
    })
  } catch (error) {
    if (error instanceof ThemeError) return { diagnostics: [themeErrorDiagnostic(error)], rendered: 0 }
    throw error
  }
}
