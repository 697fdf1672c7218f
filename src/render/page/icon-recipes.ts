import { ICON_SIDES, type IconRecipe } from '../../domain/generated-picture.ts'
import { isPicture, type MediaSource } from '../../domain/media.ts'
import type { Settings } from '../../domain/settings.ts'
import { namedFile } from '../links/links.ts'

/**
 * Returns the recipes of a site's icons from its favicon, each at most as large as that image. None for an SVG, which
 * is an icon of any size itself, and for an address on another site.
 */
export function iconRecipes(
  { faviconUrl }: Pick<Settings, 'faviconUrl'>,
  media: MediaSource | undefined,
): readonly IconRecipe[] {
  const file = namedFile(faviconUrl?.trim() ?? '', media)
  if (file === null || !isPicture(file) || /\.svg$/i.test(file.key)) return []
  const { digest, focus = null, width, height } = file
  return ICON_SIDES.filter((side) => side <= Math.min(width, height)).map((side) => ({
    kind: 'icon',
    digest,
    focus,
    side,
  }))
}
