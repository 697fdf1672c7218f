import { type IconSide, iconPath } from '../../domain/generated-picture.ts'
import { fileAt, type MediaSource } from '../../domain/media.ts'
import { SITE_ICONS } from '../../domain/site-icons.ts'
import type { IconView } from '../../theme/view.ts'
import type { Links } from '../links/links.ts'

/**
 * The icons that a document names. Browsers choose among several by themselves: if the site has a favicon, only the
 * icons of the favicon are for tabs.
 *
 * @param favicon URL of the image in the setting; null for none.
 * @param media with the icons derived from the image.
 */
export function iconLinks(
  favicon: string | null,
  links: Links,
  media: MediaSource | undefined,
): readonly IconView[] {
  const own = { rel: 'icon', type: null, sizes: null } as const
  const made = (side: IconSide): readonly IconView[] => {
    const file = fileAt(media, iconPath(side))
    const sizes = `${side}x${side}`
    return file === null ? [] : [{ ...own, href: links.file(file.key), type: 'image/png', sizes }]
  }
  const touch = fileAt(media, iconPath(180))?.key ?? SITE_ICONS.touch
  const drawn: readonly IconView[] = [
    { ...own, href: links.file(SITE_ICONS.favicon), sizes: '32x32' },
    { ...own, href: links.file(SITE_ICONS.vector), type: 'image/svg+xml' },
  ]
  const small = made(32)
  const forTabs =
    favicon === null ? drawn : small.length === 0 ? [{ ...own, href: favicon }] : [...small, ...made(192)]
  return [...forTabs, { ...own, rel: 'apple-touch-icon', href: links.file(touch) }]
}
