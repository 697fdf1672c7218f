import type { Site, SitePage } from '../content-folder/site.ts'
import { ownTheme } from '../domain/page.ts'
import { DEFAULT_SETTINGS } from '../domain/settings.ts'

/** The files of the pages whose theme is none of the built-in ones. */
export function pagesInOtherThemes(
  { settings, pages }: Pick<Site, 'settings' | 'pages'>,
  builtIn: readonly string[],
): ReadonlySet<string> {
  const others = pages.filter((page) => !builtIn.includes(themeOf(page, settings)))
  return new Set(others.map(({ source }) => source))
}

/**
 * The site with its default theme in place of every theme that is not built in, and without the layouts of the replaced
 * themes.
 */
export function inBuiltInThemes(site: Site, builtIn: readonly string[]): Site {
  const others = pagesInOtherThemes(site, builtIn)
  const { theme } = site.settings
  return {
    ...site,
    settings: {
      ...site.settings,
      ...(theme !== undefined && !builtIn.includes(theme) && { theme: DEFAULT_SETTINGS.theme }),
    },
    pages: site.pages.map((page) => (others.has(page.source) ? withoutTheme(page) : page)),
  }
}

function themeOf(page: SitePage, { theme }: Site['settings']): string {
  return ownTheme(page) ?? theme ?? DEFAULT_SETTINGS.theme
}

function withoutTheme(page: SitePage): SitePage {
  const { theme: _, layout: __, ...config } = page.config
  return { ...page, config }
}
