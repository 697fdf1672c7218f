import type { Renderer } from '../renderer/renderer.ts'
import type { Theme } from '../theme/theme.ts'
import type { SiteNow } from './in-memory-site.ts'

/** Themes by their names. */
export type Themes = ReadonlyMap<string, Theme>

/** A site with what it takes to render it. */
export interface Shown {
  readonly site: SiteNow
  /** Caches the pages it rendered. */
  readonly renderer: Renderer
  readonly themes: Themes
}
