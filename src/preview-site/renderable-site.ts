import type { Renderer } from '../renderer/renderer.ts'
import type { Theme } from '../theme/theme.ts'
import type { InMemorySite } from './in-memory-site.ts'

/** Themes by name. */
export type Themes = ReadonlyMap<string, Theme>

/** A site, its renderer and its themes. */
export interface RenderableSite {
  readonly site: InMemorySite
  /** Caches rendered pages. */
  readonly renderer: Renderer
  readonly themes: Themes
}
