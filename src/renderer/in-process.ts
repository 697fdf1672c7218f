import type { Artifact } from '../domain/artifact.ts'
import type { LivePage } from '../domain/live-page.ts'
import { prefixedLinks } from '../render/links.ts'
import { manifest } from '../render/manifest.ts'
import { navArtifacts } from '../render/nav-artifacts.ts'
import { renderNotFound } from '../render/not-found.ts'
import { renderPage, renderPreview } from '../render/render-page.ts'
import type { Theme } from '../theme/theme.ts'
import type { Renderer, SiteInput } from './renderer.ts'

/**
 * Renders in this process, one document at a time.
 *
 * @param themes every installed theme by its name; `default` among them.
 */
export function createInProcessRenderer(themes: ReadonlyMap<string, Theme>): Renderer {
  return {
    themes: [...themes.keys()].sort(),
    ownTheme,
    themeDigest: (name) => themes.get(name)?.digest ?? null,
    renderPage: async (live) => renderPage(live, themeNamed(themeOf(live))),
    preview: async (live, places) => renderPreview(live, themeNamed(themeOf(live)), prefixedLinks(places)),
    renderSite: async (input) => renderSite(input, themeNamed(input.settings.theme)),
  }

  function themeNamed(name: string): Theme {
    const theme = themes.get(name)
    if (theme === undefined) throw new Error(`The theme ${name} is not installed.`)
    return theme
  }
}

function ownTheme({ type, config }: LivePage['page']): string | null {
  const own = config['theme']
  return type === 'page' && typeof own === 'string' ? own : null
}

function themeOf({ page, settings }: LivePage): string {
  return ownTheme(page) ?? settings.theme
}

function renderSite(
  { site, settings, revision, lines, trees }: SiteInput,
  theme: Theme,
): readonly Artifact[] {
  const of = { site, settings }
  const { projectId, hostingMode } = site
  return [
    ...[...(trees ?? [])].flatMap(([home, tree]) => navArtifacts(home, tree, of, theme)),
    renderNotFound(of, theme),
    manifest({ projectId, revision, hostingMode, theme: settings.theme }, lines),
  ]
}
